"""Names of monarchs and popes who have a number, and the titles before them."""

from __future__ import annotations

NAMES = frozenset(
    (
        # Britain and Ireland
        *("Henry", "Edward", "Richard", "William", "George", "James", "Charles", "John"),
        *("Elizabeth", "Mary", "Anne", "Victoria", "Edmund", "Harold", "Aethelred", "Ethelred"),
        *("Malcolm", "David", "Robert", "Alexander", "Kenneth", "Donald", "Constantine"),
        *("Duncan", "Brian", "Llywelyn"),
        # France, Iberia, Italy
        *("Louis", "Philip", "Philippe", "Francis", "François", "Henri", "Hugh", "Lothair"),
        *("Pepin", "Childeric", "Clovis", "Dagobert", "Theuderic", "Chilperic", "Napoleon"),
        *("Napoléon", "Alfonso", "Afonso", "Pedro", "João", "Joao", "Manuel", "Sancho"),
        *("Ferdinand", "Fernando", "Isabella", "Isabel", "Carlos", "Felipe", "Ramiro", "Ordoño"),
        *("Sebastian", "Umberto", "Emmanuel", "Humbert", "Amadeus", "Cosimo", "Roger", "Manfred"),
        *("Frederick", "Joanna"),
        # Germany, Austria, the Low Countries, the North
        *("Otto", "Conrad", "Rudolf", "Rudolph", "Maximilian", "Sigismund", "Leopold", "Joseph"),
        *("Wilhelm", "Friedrich", "Karl", "Heinrich", "Ludwig", "Ernst", "Augustus", "August"),
        *("Albert", "Baudouin", "Christian", "Haakon", "Olav", "Olaf", "Harald", "Magnus"),
        *("Erik", "Eric", "Gustav", "Gustavus", "Adolphus", "Carl", "Oscar", "Valdemar"),
        *("Margrethe", "Margaret", "Sweyn", "Cnut", "Canute", "Håkon", "Gustaf", "Leonard"),
        *("Rupert",),
        # The East
        *("Ivan", "Peter", "Catherine", "Paul", "Nicholas", "Feodor", "Fyodor", "Vasily"),
        *("Vladimir", "Boris", "Casimir", "Stanislaus", "Stanisław", "Vladislaus", "Ladislaus"),
        *("Stephen", "Béla", "Bela", "Andrew", "Matthias", "Mircea", "Michael", "Simeon"),
        *("Bohemond", "Baldwin", "Zog", "Ottokar", "Wenceslaus", "Bolesław", "Boleslaw", "Géza"),
        *("Milan", "Carol"),
        # Antiquity and Byzantium
        *("Ramesses", "Ramses", "Rameses", "Thutmose", "Amenhotep", "Amenemhat", "Seti"),
        *("Ptolemy", "Cleopatra", "Antiochus", "Seleucus", "Demetrius", "Darius", "Xerxes"),
        *("Artaxerxes", "Cyrus", "Cambyses", "Mithridates", "Mithradates", "Attalus", "Eumenes"),
        *("Shalmaneser", "Pileser", "Sargon", "Nebuchadnezzar", "Justinian", "Justin"),
        *("Theodosius", "Valentinian", "Basil", "Romanos", "Alexios", "Andronikos", "Heraclius"),
        *("Leo", "Tiberius", "Khosrow", "Shapur", "Pepi", "Mentuhotep", "Psamtik", "Arcesilaus"),
        *("Archelaus", "Herod", "Agrippa", "Dionysius", "Hieron", "Perseus"),
        # Islam, Asia, Africa, the Pacific
        *("Mehmed", "Mehmet", "Murad", "Selim", "Suleiman", "Bayezid", "Ahmed", "Mahmud"),
        *("Hamid", "Mustafa", "Osman", "Abdullah", "Abdulhamid", "Hussein", "Hassan", "Mohammed"),
        *("Muhammad", "Faisal", "Farouk", "Fuad", "Abbas", "Rama", "Menelik", "Tewodros"),
        *("Yohannes", "Akbar", "Moctezuma", "Montezuma", "Kamehameha", "Pomare", "Moshoeshoe"),
        *("Sobhuza", "Letsie"),
        # Popes
        *("Pius", "Benedict", "Gregory", "Clement", "Innocent", "Urban", "Boniface", "Sixtus"),
        *("Julius", "Adrian", "Hadrian", "Eugene", "Eugenius", "Martin", "Celestine", "Honorius"),
        *("Callixtus", "Calixtus", "Sylvester", "Marcellus", "Lucius", "Paschal", "Gelasius"),
        *("Nicolas", "Victor", "Damasus", "Felix", "Sergius", "Formosus", "Agapetus", "Pelagius"),
    )
)
TITLES = (
    "King|Queen|Pope|Emperor|Empress|Tsar|Czar|Tsarina|Kaiser|Sultan|Pharaoh|Prince|Princess|Duke"
    "|Archduke|Shah|Caliph|Patriarch|Antipope|Count|Margrave|Elector|Landgrave|Doge|Khan|Monarch"
)
