"""Feeds of many dialects, as programs write them. Each lists the same two articles first."""

BASE = "https://quay.example/feed.xml"
TITLES = ("The mill & the storm", "Forty sacks of flour")
PAGES = ("https://quay.example/2026/11/mill", "https://quay.example/2026/11/flour")
LONG = " ".join(["The sails went round all night, and nobody knew which lever stopped them."] * 12)

RSS_20 = """<?xml version="1.0" encoding="UTF-8"?>
<rss version="2.0" xmlns:content="http://purl.org/rss/1.0/modules/content/"
 xmlns:dc="http://purl.org/dc/elements/1.1/" xmlns:atom="http://www.w3.org/2005/Atom">
<channel><title>The Quay Times</title><link>https://quay.example/</link>
<atom:link href="https://quay.example/feed.xml" rel="self" type="application/rss+xml"/>
<description>News of the harbour</description><language>en-gb</language>
<item><title>The mill &amp; the storm</title><link>https://quay.example/2026/11/mill</link>
<dc:creator><![CDATA[Jan Mertens]]></dc:creator><pubDate>Mon, 23 Nov 2026 07:30:00 +0100</pubDate>
<guid isPermaLink="false">https://quay.example/?p=41</guid>
<description><![CDATA[<p>It had not turned for <b>eleven</b> years. [&#8230;]</p>]]></description>
<content:encoded><![CDATA[<p>{long}</p><p>The post <a href="#">The mill</a> appeared first on
<a href="/">The Quay Times</a>.</p>]]></content:encoded></item>
<item><title>Forty sacks of flour</title><link>https://quay.example/2026/11/flour</link>
<guid>https://quay.example/2026/11/flour</guid><author>hb@quay.example (Hanna Brink)</author>
<description>The baker found them.</description></item>
</channel></rss>""".replace("{long}", LONG)

RSS_091 = """<?xml version="1.0" encoding="ISO-8859-1" ?>
<!DOCTYPE rss PUBLIC "-//Netscape Communications//DTD RSS 0.91//EN"
 "http://my.netscape.com/publish/formats/rss-0.91.dtd">
<rss version="0.91"><channel><title>Le Quai</title><link>https://quay.example/</link>
<description>Nouvelles</description><language>fr</language>
<item><title>The mill &amp; the storm</title><link>https://quay.example/2026/11/mill</link>
<description>Le caf&eacute; d'&agrave; c\xf4t\xe9.</description></item>
<item><title>Forty sacks of flour</title><link>https://quay.example/2026/11/flour</link></item>
</channel></rss>"""

RSS_10 = """<?xml version="1.0"?>
<rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#"
 xmlns="http://purl.org/rss/1.0/" xmlns:dc="http://purl.org/dc/elements/1.1/">
<channel rdf:about="https://quay.example/feed.xml"><title>The Quay</title>
<link>https://quay.example/</link><description>x</description><dc:language>en</dc:language>
<items><rdf:Seq><rdf:li rdf:resource="https://quay.example/2026/11/mill"/></rdf:Seq></items>
</channel>
<item rdf:about="https://quay.example/2026/11/mill"><title>The mill &amp; the storm</title>
<link>https://quay.example/2026/11/mill</link><dc:date>2026-11-23T06:30:00Z</dc:date>
<dc:creator>Jan Mertens</dc:creator></item>
<item rdf:about="https://quay.example/2026/11/flour"><title>Forty sacks of flour</title>
<link>https://quay.example/2026/11/flour</link></item></rdf:RDF>"""

ATOM = """<?xml version="1.0" encoding="utf-8"?>
<feed xmlns="http://www.w3.org/2005/Atom" xml:lang="en" xml:base="https://quay.example/2026/">
<title type="html">The &lt;em&gt;Quay&lt;/em&gt;</title><id>urn:quay</id>
<updated>2026-11-23T08:00:00Z</updated><author><name>The desk</name></author>
<entry><id>tag:quay.example,2026:41</id><title>The mill &amp; the storm</title>
<link rel="enclosure" type="audio/mpeg" href="https://quay.example/audio/41.mp3"/>
<link href="11/mill"/><link rel="replies" href="11/mill/replies"/>
<published>2026-11-23T07:30:00+01:00</published><updated>2026-11-23T08:00:00+01:00</updated>
<author><name>Jan Mertens</name><email>jan@quay.example</email></author>
<content type="xhtml"><div xmlns="http://www.w3.org/1999/xhtml"><p>{long}</p></div></content>
</entry>
<entry><id>https://quay.example/2026/11/flour</id><title type="text">Forty sacks of flour</title>
<summary type="text">Bread &lt; cake?</summary><updated>2026-11-22</updated></entry>
</feed>""".replace("{long}", LONG)

ATOM_PREFIXED = """<a:feed xmlns:a="http://www.w3.org/2005/Atom"><a:title>Quay</a:title>
<a:entry><a:id>1</a:id><a:title>The mill &amp; the storm</a:title>
<a:link rel="alternate" type="text/html" href="/2026/11/mill"/></a:entry>
<a:entry><a:id>2</a:id><a:title>Forty sacks of flour</a:title>
<a:link rel="alternate" href="/2026/11/flour"/></a:entry></a:feed>"""

RELATIVE = """<rss version="2.0"><channel><title>Quay</title><link>/</link>
<item><title>The mill &amp;amp; the storm</title><link>/2026/11/mill</link><guid>41</guid></item>
<item><title>&lt;b&gt;Forty&lt;/b&gt; sacks of flour</title><link>2026/11/flour</link></item>
</channel></rss>"""

BROKEN = """<?xml version="1.0"?>
<rss version="2.0"><channel><title>Quay</title>
<item><title>The mill & the storm</title><link>https://quay.example/2026/11/mill</link></item>
<item><title>Forty sacks of flour</title><link>https://quay.example/2026/11/flour</link>
<description>cut <b>off"""

WARNED = (
    "<br />\n<b>Warning</b>: cannot open the cache in <b>/srv/feed.php</b> on line <b>7</b><br />\n"
    + RSS_10
)

FEEDS = {
    "RSS 2.0": RSS_20,
    "RSS 0.91 with a DTD": RSS_091,
    "RSS 1.0": RSS_10,
    "Atom": ATOM,
    "Atom with a prefix": ATOM_PREFIXED,
    "relative links": RELATIVE,
    "not well-formed": BROKEN,
    "behind a server's warning": WARNED,
}
