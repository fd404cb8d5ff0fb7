"""What people write to a game server without having read its help: phrases, in many languages.

Each phrase is a whole line, or a part of one between two signs, as `fold` leaves it. A word that
means different things to different people stands in no table, or in the harmless one.
"""

YES = (
    # English
    "yes", "yes please", "yep", "yeah", "yup", "aye", "sure", "sure thing", "of course", "ok",
    "okay", "k", "fine", "fine with me", "fine by me", "agreed", "i agree", "deal", "accept",
    "accepted", "i accept", "accepting", "i accept the invitation", "i accept your invitation",
    "i accept the challenge", "i accept your challenge", "challenge accepted", "gladly",
    "with pleasure", "i'd love to", "i would love to", "love to", "why not", "why not?",
    "let's play", "lets play", "let's go", "i'm in", "im in", "count me in", "absolutely",
    "certainly", "definitely", "yes i accept", "yes of course", "yes let's play", "yes sure",
    "yes i do", "i accept the offer", "i accept your offer", "i accept the draw", "draw accepted",
    "sounds good", "go ahead", "granted", "i'd love to play", "i would love to play", "happy to",
    "happy to play", "i'd be happy to", "i'd like to play", "i'll play", "i will play",
    "let's do it", "game on", "bring it on", "yes i will", "yes i would",
    # German, French, Spanish, Italian, Portuguese, Romanian
    "ja", "ja gern", "ja gerne", "gern", "gerne", "klar", "na klar", "jawohl", "einverstanden",
    "angenommen", "ich nehme an", "in ordnung", "geht klar", "jo", "natürlich", "mit vergnügen",
    "oui", "d'accord", "accepté", "j'accepte", "ça marche", "volontiers", "avec plaisir", "ouais",
    "bien sûr", "bien sur", "sí", "si", "claro", "vale", "de acuerdo", "acepto", "aceptado",
    "por supuesto", "claro que sí", "let's start", "dale",
    "con gusto", "sì", "va bene", "d'accordo", "accetto", "accettato",
    "certo", "volentieri", "sim", "aceito", "está bem", "tudo bem", "com prazer", "da",
    "sunt de acord", "desigur",
    # Dutch, Swedish, Danish, Norwegian, Finnish
    "ja graag", "graag", "akkoord", "is goed", "ik accepteer", "geaccepteerd", "natuurlijk",
    "ja visst", "gärna", "visst", "jag accepterar", "ja da", "jada", "gjerne", "ja gjerne",
    "selvfølgelig", "enig", "jeg aksepterer", "godtatt", "ja tak", "gerne ja", "jeg accepterer",
    "accepteret", "kyllä", "joo", "juu", "sopii", "hyväksyn", "hyväksytty", "totta kai",
    # Polish, Czech, Slovak, Hungarian, Croatian
    "tak", "jasne", "zgoda", "zgadzam się", "akceptuję", "oczywiście", "pewnie", "ano", "jo jasně",
    "jasně", "souhlasím", "přijímám", "dobře", "áno", "súhlasím", "prijímam", "igen",
    "rendben", "persze", "elfogadom", "oké", "može", "naravno", "prihvaćam",
    # Russian, Ukrainian, Bulgarian
    "да", "ага", "конечно", "хорошо", "согласен", "согласна", "принимаю", "давай", "давайте",
    "ок", "так", "згода", "згоден", "згодна", "приймаю", "звичайно", "добре", "съгласен",
    # Turkish, Greek
    "evet", "tamam", "olur", "kabul", "kabul ediyorum", "elbette", "tabii", "ναι", "βεβαίως",
    "εντάξει", "δέχομαι", "συμφωνώ", "αποδέχομαι",
    # Japanese, Chinese, Korean
    "はい", "了解", "承知しました", "いいよ", "いいですよ", "お願いします", "是", "是的", "好",
    "好的", "可以", "同意", "接受", "没问题", "好啊", "네", "예", "응", "좋아요", "좋습니다",
    "수락", "수락합니다", "동의합니다",
)  # fmt: skip
"""Agrees to what was asked."""

WEAK = frozenset({"ok", "okay", "k", "fine", "oké", "ок", "vale", "tamam", "好", "네"})
"""Agrees, unless more follows: "OK. Let me think." does not."""

NO = (
    "no", "nope", "nah", "no way", "no sorry", "not now", "not today", "not this time",
    "not really", "i decline", "decline", "declined", "reject", "rejected", "i reject", "refuse",
    "i refuse", "no time", "i have no time", "i don't have time", "i don't have the time",
    "i can't", "i cannot", "i'd rather not", "rather not", "but no", "not interested",
    "i'm not interested", "let's play on", "play on", "i'd rather play on", "i'd like to play on",
    "let's continue", "no deal", "no draw", "thanks but no", "thank you but no",
    "thanks but no thanks", "never", "don't want to", "i don't want to", "no i don't", "nein", "nö",
    "nee", "lieber nicht", "keine zeit", "leider keine zeit", "im moment nicht", "gerade nicht",
    "jetzt nicht", "pas le temps", "je n'ai pas le temps", "no tengo tiempo", "geen tijd",
    "abgelehnt", "ich lehne ab", "leider nein", "leider nicht",
    "jetzt nicht", "non", "non pas maintenant", "refusé", "je refuse", "pas maintenant", "ahora no",
    "rechazo", "rechazado", "no puedo", "no acepto", "non ora", "rifiuto", "rifiutato", "não",
    "nao", "agora não", "recuso", "nee dank je", "nee bedankt", "geen tijd", "nu niet", "nej",
    "nej tack", "nej tak", "nei", "nei takk", "inte nu", "ikke nå", "ikke nu", "ei", "ei nyt",
    "en halua", "nie", "nie teraz", "odmawiam", "ne", "teď ne", "odmítám", "nechci", "odmietam",
    "nem", "most nem", "elutasítom", "ne sada", "нет", "не сейчас", "отказываюсь", "не хочу", "ні",
    "не зараз", "не", "відмовляюся", "hayır", "hayir", "olmaz", "şimdi değil", "όχι", "οχι",
    "όχι τώρα", "いいえ", "いや", "お断りします", "遠慮します", "不", "不是", "不用", "不要",
    "不行", "不了", "拒绝", "拒絕", "아니요", "아니오", "아뇨", "싫어요", "거절", "거절합니다",
)  # fmt: skip
"""Turns down what was asked."""

POLITE = (
    "thanks", "thank you", "thx", "ty", "tnx", "many thanks", "thanks a lot", "thank you very much",
    "thanks so much", "cheers", "much appreciated", "please", "pls", "sorry", "my apologies",
    "good game", "gg", "ggwp", "gg wp", "wp", "well played", "good play", "nice game", "great game",
    "nice match", "good match", "fun game", "nice move", "good move", "great move", "nice one",
    "well done", "congratulations", "congrats", "bravo", "good luck", "gl", "glhf", "gl hf",
    "have fun", "hf", "enjoy", "my pleasure", "you're welcome", "you are welcome", "np",
    "no problem", "no worries", "welcome", "wow", "haha", "lol", "oops", "nice", "great", "cool",
    "super", "excellent", "awesome", "hi", "hello", "hey", "hi there", "hello there", "hey there",
    "hi all", "hello everybody", "good morning", "good afternoon", "good evening", "good night",
    "howdy", "greetings", "dear all", "dear sir", "nice to meet you", "how are you", "bye",
    "goodbye", "bye bye", "see you", "see you soon", "take care", "have a nice day",
    "have a good day", "best", "best wishes", "best regards", "kind regards", "regards", "yours",
    "love", "talk to you soon", "that was fun", "it was fun", "i enjoyed it", "thanks again",
    "thanks in advance", "you too", "same to you", "likewise", "got it", "understood", "noted",
    "danke", "danke schön", "dankeschön", "vielen dank", "danke sehr", "besten dank", "bitte",
    "gutes spiel", "schönes spiel", "gut gespielt", "guter zug", "schöner zug", "viel glück",
    "viel spaß", "viel erfolg", "hallo", "guten tag", "guten morgen", "guten abend", "moin",
    "servus", "tschüss", "viele grüße", "liebe grüße", "mit freundlichen grüßen", "mfg", "lg", "vg",
    "glückwunsch", "entschuldigung", "bis bald", "danke gleichfalls", "gleichfalls", "merci",
    "merci beaucoup", "bien joué", "bonne partie", "belle partie", "bonne chance", "bonjour",
    "bonsoir", "salut", "au revoir", "à bientôt", "cordialement", "s'il te plaît",
    "s'il vous plaît", "svp", "stp", "désolé", "félicitations", "gracias", "muchas gracias",
    "buena partida", "bien jugado", "buena suerte", "suerte", "hola", "buenos días",
    "buenas tardes", "adiós", "hasta luego", "saludos", "por favor", "perdón", "felicidades",
    "grazie", "grazie mille", "bella partita", "ben giocato", "buona fortuna", "ciao", "buongiorno",
    "buonasera", "arrivederci", "saluti", "per favore", "prego", "scusa", "complimenti", "obrigado",
    "obrigada", "muito obrigado", "bom jogo", "boa partida", "bem jogado", "boa sorte", "olá", "oi",
    "bom dia", "boa tarde", "boa noite", "tchau", "abraços", "mulțumesc", "mersi", "noroc",
    "salutări", "bedankt", "dank je", "dank je wel", "dankjewel", "dank u", "goed gespeeld",
    "mooi spel", "goede zet", "veel succes", "succes", "dag", "goedemorgen", "goedenavond",
    "groeten", "alsjeblieft", "tack", "tack så mycket", "bra spelat", "bra match", "lycka till",
    "hej", "hejsan", "hej då", "hälsningar", "takk", "tusen takk", "mange takk", "godt spilt",
    "lykke til", "hei", "hilsen", "mange tak", "tusind tak", "godt spillet", "held og lykke",
    "farvel", "kiitos", "paljon kiitoksia", "hyvä peli", "hyvin pelattu", "onnea", "moi", "terve",
    "dzięki", "dziękuję", "dobra gra", "dobra partia", "powodzenia", "cześć", "dzień dobry",
    "pozdrawiam", "proszę", "děkuji", "díky", "dobrá hra", "hodně štěstí", "ahoj", "dobrý den",
    "pozdravy", "prosím", "ďakujem", "vďaka", "köszönöm", "köszi", "kösz", "jó játék", "szép játék",
    "sok sikert", "szia", "helló", "üdv", "hvala", "спасибо", "большое спасибо", "хорошая игра",
    "хорошая партия", "удачи", "привет", "здравствуйте", "добрый день", "пожалуйста", "дякую",
    "щиро дякую", "гарна гра", "успіхів", "привіт", "добрий день", "будь ласка", "благодаря",
    "teşekkürler", "teşekkür ederim", "sağ ol", "iyi oyun", "güzel oyun", "iyi şanslar", "merhaba",
    "selam", "lütfen", "ευχαριστώ", "καλό παιχνίδι", "καλή τύχη", "γεια", "γεια σου", "καλημέρα",
    "παρακαλώ", "ありがとう", "ありがとうございます", "どうも", "こんにちは", "よろしく",
    "よろしくお願いします", "お疲れ様でした", "谢谢", "謝謝", "多谢", "你好", "您好", "好棋",
    "加油", "감사합니다", "고마워요", "고맙습니다", "안녕하세요", "잘 두었습니다", "수고하셨습니다",
)  # fmt: skip
"""Asks nothing and answers nothing."""

POLITE_BEGINNINGS = (
    "thanks for", "thank you for", "thx for", "good luck with", "good luck in", "have a nice",
    "have a good", "have fun with", "congratulations on", "sorry for the", "nice to",
    "danke für", "vielen dank für", "viel glück bei", "viel spaß bei", "schönen", "schönes",
    "merci pour", "gracias por", "grazie per", "obrigado pela", "obrigado pelo", "bedankt voor",
    "dank je voor", "tack för", "tak for", "takk for", "dzięki za", "dziękuję za", "děkuji za",
    "díky za", "köszönöm a", "спасибо за", "дякую за",
)  # fmt: skip
"""What up to five more words may follow, none of which holds a digit."""

GREETINGS = frozenset(
    {"hi", "hello", "hey", "dear", "thanks", "thank you", "thx", "cheers", "bye", "hallo", "liebe",
     "lieber", "danke", "bonjour", "salut", "merci", "hola", "gracias", "ciao", "grazie", "olá",
     "oi", "obrigado", "hoi", "beste", "bedankt", "hej", "tack", "hei", "takk", "moi", "kiitos",
     "cześć", "dzięki", "ahoj", "díky", "szia", "привет", "спасибо", "привіт", "дякую", "merhaba",
     "γεια"}
)  # fmt: skip
"""What up to two names may follow."""

HELLO = frozenset(
    {"hi", "hello", "hey", "good", "howdy", "greetings", "dear", "hallo", "guten", "moin", "servus",
     "bonjour", "bonsoir", "salut", "hola", "buenos", "buenas", "ciao", "buongiorno", "buonasera",
     "olá", "oi", "bom", "boa", "hoi", "dag", "goedemorgen", "goedenavond", "hej", "hejsan", "hei",
     "moi", "terve", "cześć", "dzień", "ahoj", "dobrý", "szia", "helló", "üdv", "привет",
     "здравствуйте", "добрый", "привіт", "добрий", "merhaba", "selam", "γεια", "καλημέρα",
     "こんにちは", "你好", "您好", "안녕하세요"}
)  # fmt: skip
"""How a greeting begins."""

RESIGN = (
    "resign", "i resign", "i resign the game", "i resign this game", "i resign the match",
    "i'll resign", "i will resign", "i have to resign", "i must resign", "i want to resign",
    "i would like to resign", "i'd like to resign", "i give up", "i give in", "i surrender",
    "i concede", "quit", "i quit", "i quit the game", "quit the game", "i want to quit",
    "i want to quit the game", "i'd like to quit", "i want to stop playing",
    "i don't want to play any more", "i don't want to play anymore", "i want to give up",
    "end the game", "end this game", "stop the game", "stop this game", "end the match",
    "cancel the game", "cancel this game", "cancel the match", "you win", "resigned", "resigning",
    "i am resigning", "i'm resigning",
    "give up", "ich gebe auf", "gebe auf", "aufgabe", "aufgeben", "j'abandonne", "abandon",
    "je me rends", "me rindo", "abandono", "mi arrendo", "abbandono", "desisto", "mă predau",
    "ik geef op", "ik geef het op", "opgeven", "jag ger upp", "ger upp", "jeg gir opp",
    "jeg giver op", "jeg opgiver", "luovutan", "poddaję się", "poddaje sie", "vzdávám se",
    "vzdávám", "vzdávam sa", "feladom", "predajem se", "сдаюсь", "я сдаюсь", "здаюся", "я здаюся",
    "предавам се", "pes ediyorum", "teslim oluyorum", "παραιτούμαι", "εγκαταλείπω", "投了",
    "投了します", "参りました", "负けました", "负了", "认输", "我认输", "投降", "항복", "기권",
    "기권합니다", "졌습니다",
)  # fmt: skip
"""Seems to give the match up, and is asked again."""

SWAP = (
    "swap", "i swap", "i want to swap sides", "i'd like to swap sides",
    "i would like to swap sides", "let's swap sides", "i'll swap sides", "switch sides",
    "i want to switch sides", "i'll swap", "i will swap", "let's swap", "lets swap", "swap sides",
    "i want to swap", "i'd like to swap", "i would like to swap", "i swap sides", "swap it",
    "pie", "pie rule", "i use the pie rule", "use the pie rule", "swapping", "i choose to swap",
    "my move is swap", "my move swap", "i play swap", "move swap", "ich tausche", "tauschen",
    "ich tausche die seiten", "seiten tauschen", "ich wechsle die seite", "j'échange", "échange",
    "cambio", "intercambio", "scambio", "troco", "trocar", "ik wissel", "wisselen", "ruilen",
    "jag byter", "byt", "jeg bytter", "bytt", "vaihdan", "zamieniam", "zamiana", "vyměňuji",
    "cserélek", "csere", "меняюсь", "меняемся", "обмен", "міняюся", "değiştiriyorum", "αλλάζω",
    "交換", "交换", "교환",
    "ich will die seiten tauschen", "ich möchte die seiten tauschen", "ich will tauschen",
    "ich möchte tauschen", "seitentausch", "on échange", "j'échange les côtés", "échanger",
    "je veux échanger", "cambiar de lado", "cambio de lado", "quiero cambiar de lado",
    "ik wil ruilen", "ik wil wisselen", "ik ruil",
)  # fmt: skip
"""Uses the pie rule."""

DRAW = (
    "draw", "i offer a draw", "i offer draw", "offer a draw", "offer draw", "i propose a draw",
    "propose draw", "propose a draw", "shall we draw", "how about a draw", "call it a draw",
    "let's call it a draw", "shall we call it a draw", "would you accept a draw", "draw offer",
    "remis", "ich biete remis", "ich biete remis an", "nulle", "je propose nulle", "tablas",
    "ofrezco tablas", "patta", "propongo patta", "empate", "proponho empate", "remise",
    "ik bied remise aan", "oavgjort", "uavgjort", "uafgjort", "tasapeli", "remiz", "remíza",
    "döntetlen", "ничья", "предлагаю ничью", "нічия", "berabere", "ισοπαλία", "和棋", "무승부",
    "引き分け",
    "unentschieden", "ich biete unentschieden", "ich biete unentschieden an",
    "sollen wir remis machen", "match nul", "partie nulle", "je propose match nul",
    "je propose la nulle", "on fait nulle", "gelijkspel", "gelijk spel", "zullen we remise doen",
)  # fmt: skip
"""Offers a draw."""

UNDO = (
    "undo", "undo that", "i want to undo", "can i undo", "can i undo that", "may i undo",
    "can i take that back", "can i take it back", "may i take that back", "may i take it back",
    "can i take back my move", "may i take back my move", "can i take my move back",
    "i take it back", "take back", "take it back", "takeback", "let me take that back",
    "i take that back", "zurücknehmen", "kann ich das zurücknehmen", "rücknahme",
    "zug zurücknehmen", "ich möchte den zug zurücknehmen", "annuler", "annuler le coup",
    "annuler mon coup", "deshacer", "deshacer la jugada",
    "kann ich einen zug zurücknehmen", "kann ich den zug zurücknehmen",
    "kann ich meinen zug zurücknehmen", "darf ich den zug zurücknehmen",
    "darf ich das zurücknehmen", "ich nehme den zug zurück", "je peux reprendre mon coup",
    "puis-je reprendre mon coup", "reprendre mon coup", "je reprends mon coup", "puedo deshacer",
    "puedo deshacer mi jugada", "puedo deshacer la jugada", "mag ik mijn zet terugnemen",
    "mag ik die zet terugnemen", "mag ik dat terugnemen", "zet terugnemen", "terugnemen",
)  # fmt: skip
"""Asks to take a move back."""

AGAIN = (
    "again", "rematch", "a rematch", "play again", "let's play again", "shall we play again",
    "want to play again", "another game", "another one", "another match", "one more",
    "one more game", "new game", "next game", "once more", "i want a rematch", "i'd like a rematch",
    "how about a rematch", "revenge", "return match", "same again", "noch einmal", "nochmal",
    "noch mal", "noch ein spiel", "noch eine partie", "noch eins", "revanche", "encore",
    "encore une", "encore une partie", "la revanche", "revancha", "otra vez", "otra partida",
    "otra", "rivincita", "ancora", "un'altra partita", "revanșă", "de novo", "mais uma",
    "outra partida", "nog een keer", "nog een spel", "nog eens", "returmatch", "en gång till",
    "en till", "omkamp", "en gang til", "én gang til", "uusinta", "uudestaan", "rewanż",
    "jeszcze raz", "odveta", "ještě jednou", "visszavágó", "még egyszer", "ещё раз", "еще раз",
    "ещё", "реванш", "ще раз", "rövanş", "bir daha", "tekrar", "ρεβάνς", "ξανά", "もう一回",
    "もう一局", "再来一局", "再来", "한판 더", "다시",
    "on rejoue", "on refait une partie", "rejouer", "jugamos otra", "jugamos otra vez",
    "nog een spelletje", "nog een potje", "nog eentje", "noch eine runde", "spielen wir nochmal",
    "spielen wir noch einmal",
)  # fmt: skip
"""Wants another match, once this one is over."""

STOP = (
    "stop", "stop it", "stop this", "stop please", "please stop", "stop mailing me",
    "stop emailing me", "stop writing to me", "stop sending me mails", "stop sending me emails",
    "no more mails", "no more emails", "no more mail", "unsubscribe", "unsubscribe me",
    "please unsubscribe me", "remove", "remove me", "please remove me", "remove me from this list",
    "take me off this list", "leave me alone", "opt out", "cancel my account", "delete my account",
    "close my account", "delete account", "close account", "konto löschen", "lösche mein konto",
    "mein konto löschen", "supprimer mon compte", "borrar mi cuenta", "eliminar mi cuenta",
    "abmelden", "abbestellen", "keine mails mehr", "aufhören", "désabonner", "désinscription",
    "me désabonner", "arrêt", "arrêtez", "baja", "darse de baja", "darme de baja", "cancellami",
    "disiscrivimi", "cancelar inscrição", "dezabonare", "uitschrijven", "afmelden", "avregistrera",
    "avsluta", "afmeld", "avmeld", "stopp", "lopeta", "peruuta tilaus", "wypisz mnie", "wypisz",
    "odhlásit", "odhlásiť", "leiratkozás", "leiratkozom", "odjava", "отписаться", "отпишите меня",
    "стоп", "відписатися", "abonelikten çık", "διαγραφή", "配信停止", "退订", "退訂", "수신거부",
    "stop sending me these mails", "stop sending me these emails", "stop sending mails",
    "stop sending emails", "how do i stop this", "how can i stop this", "how do i stop these mails",
    "how do i stop these emails", "too many mails", "too many emails", "how do i unsubscribe",
    "how do i delete my account", "how can i delete my account", "i want to delete my account",
    "i want to leave", "wie melde ich mich ab", "ich will mich abmelden",
    "ich möchte mich abmelden", "zu viele mails", "account löschen", "comment me désinscrire",
    "je veux supprimer mon compte", "je voudrais supprimer mon compte",
    "ich will mein konto löschen", "ich möchte mein konto löschen", "quiero borrar mi cuenta",
    "quiero eliminar mi cuenta", "ik wil mijn account verwijderen",

    "trop de mails", "cómo me doy de baja", "demasiados correos", "account verwijderen",
    "verwijder mijn account", "te veel mails", "hoe meld ik me af",
)  # fmt: skip
"""Wants fewer mails, or none."""

ROBOT = (
    "robot", "a robot", "the robot", "robots", "play a robot", "play robot", "play the robot",
    "play with a robot", "play against a robot", "play against the robot", "against a robot",
    "i want to play a robot", "i'd like to play a robot", "i would like to play a robot",
    "can i play a robot", "can i play against a robot", "let me play a robot", "try a robot",
    "computer", "a computer", "the computer", "play the computer", "play a computer",
    "play against the computer", "play against a computer", "play with the computer",
    "against the computer", "i want to play the computer", "i'd like to play the computer",
    "can i play the computer", "can i play against the computer", "bot", "a bot", "play a bot",
    "play against a bot", "ai", "play the ai", "play against the ai",
    "roboter", "ein roboter", "gegen einen roboter", "gegen den computer", "ein computer",
    "ich will gegen den computer spielen", "ich möchte gegen den computer spielen",
    "un robot", "le robot", "contre un robot", "ordinateur", "contre l'ordinateur",
    "jouer contre un robot", "jouer contre l'ordinateur", "contra un robot", "ordenador",
    "contra el ordenador", "computadora", "contra la computadora", "contro il computer",
    "contro un robot", "computador", "contra o computador", "um robô", "robô", "tegen de computer",
    "tegen een robot", "een robot", "en robot", "mot datorn", "mot en robot", "dator",
    "mod computeren", "mod en robot", "mot datamaskinen", "robotti", "tietokone",
    "tietokonetta vastaan", "z komputerem", "komputer", "z robotem", "proti počítači", "počítač",
    "a gép ellen", "számítógép", "робот", "компьютер", "с роботом", "с компьютером",
    "против робота", "комп'ютер", "з роботом", "bilgisayar", "bilgisayara karşı", "ρομπότ",
    "υπολογιστής", "ロボット", "コンピュータ", "コンピューター", "机器人", "電腦", "电脑", "로봇",
    "컴퓨터",
)  # fmt: skip
"""Wants to play with a program."""
