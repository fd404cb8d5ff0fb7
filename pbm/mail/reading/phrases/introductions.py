"""How a quote is introduced, by language: "On (date), (name) wrote:".

Only what has neither a quote mark below nor the server's address in it needs these words.
"""

OPENINGS = (
    "on ", "at ",  # English
    "am ",  # German
    "le ",  # French
    "el ",  # Spanish, Catalan
    "il ",  # Italian
    "em ", "a ",  # Portuguese
    "op ",  # Dutch
    "den ", "på ",  # Danish, Norwegian, Swedish
    "hinn ", "þann ",  # Icelandic
    "w dniu ", "dnia ",  # Polish
    "dne ",  # Czech, Slovene
    "dňa ",  # Slovak
    "pe ", "în ", "la ",  # Romanian
    "на ",  # Bulgarian
    "dana ",  # Croatian
    "дана ",  # Serbian
    "στις ",  # Greek
    "ב-", "בתאריך ",  # Hebrew
    "في ",  # Arabic
    "در ",  # Persian
    "ในวันที่ ", "เมื่อ",  # Thai
    "vào ",  # Vietnamese
    "pada ",  # Indonesian, Malay
    "kuupäev ",  # Estonian
    "je ",  # Esperanto
    "o ", "en ",  # Galician
    "在",  # Chinese
)  # fmt: skip
"""The words that introductions begin with; one that does may be broken over several lines."""

VERBS = (
    "wrote", "writes",  # English
    "schrieb",  # German, "geschrieben" too
    "a écrit", "a ecrit", "avez écrit",  # French
    "escribió", "escribio",  # Spanish
    "ha scritto",  # Italian
    "escreveu",  # Portuguese
    "schreef", "heeft het volgende geschreven",  # Dutch
    "skrev",  # Danish, Norwegian, Swedish
    "kirjoitti",  # Finnish
    "skrifaði",  # Icelandic
    "napisa", "pisze",  # Polish, Croatian, Slovene
    "napsal", "píše",  # Czech
    "napísal",  # Slovak
    "írta",  # Hungarian
    "a scris",  # Romanian
    "написа", "пише", "писали",  # Bulgarian, Serbian, Russian, Ukrainian
    "піша", "напісаў",  # Belarusian
    "έγραψε",  # Greek
    "yazd\u0131",  # Turkish
    "כתב",  # Hebrew
    "كتب",  # Arabic
    "نوشت",  # Persian
    "ने लिखा",  # Hindi
    "เขียนว่า",  # Thai
    "đã viết",  # Vietnamese
    "menulis",  # Indonesian, Malay
    "のメール", "書きました",  # Japanese
    "작성", "쓴 글",  # Korean
    "写道", "寫道",  # Chinese
    "kirjutas", "kirjutab",  # Estonian
    "rakstīja",  # Latvian
    "rašė",  # Lithuanian
    "va escriure", "ha escrit",  # Catalan
    "idatzi",  # Basque
    "escribiu",  # Galician
    "skribis",  # Esperanto
)  # fmt: skip
"""What an introduction says that the other one did."""
