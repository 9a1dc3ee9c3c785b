<?xml version="1.0" encoding="UTF-8"?>
<lexicon version="1.0" alphabet="ipa" xml:lang="en"
  xmlns="http://www.w3.org/2005/01/pronunciation-lexicon">
  <lexeme><grapheme>Worcester</grapheme><alias>Wooster</alias></lexeme>
  <lexeme><grapheme>St. Ives</grapheme><grapheme>St Ives</grapheme>
    <phoneme>sənt  ˈaɪvz</phoneme><phoneme>never</phoneme></lexeme>
  <lexeme><grapheme>wind</grapheme><phoneme>wɪnd</phoneme>
    <phoneme prefer="true">waɪnd</phoneme></lexeme>
  <lexeme><grapheme>wind</grapheme><phoneme>second</phoneme></lexeme>
</lexicon>
