"""What people ask about a board, its game and this server; see `words`."""

HELP = (
    "help", "help me", "help please", "please help", "i need help", "how does this work",
    "how does it work", "what do i do", "what do i do now", "what now", "what should i do",
    "what can i do", "i don't understand", "i do not understand", "instructions", "hilfe",
    "wie geht das", "wie funktioniert das", "was nun", "ich verstehe nicht", "aide", "aidez-moi",
    "comment ça marche", "ayuda", "cómo funciona", "aiuto", "ajuda", "ajutor", "hulp", "help mij",
    "hoe werkt dit", "hjälp", "hur gör jag", "hjelp", "hjælp", "apua", "miten pelaan", "pomocy",
    "pomoc", "jak grać", "jak se hraje", "segítség", "помощь", "помогите", "как играть", "допомога",
    "допоможіть", "yardım", "nasıl oynanır", "βοήθεια", "助けて", "ヘルプ", "帮助",
    "幫助", "怎么玩", "도움말", "도와주세요",
    "i don't get it", "i don't understand this", "i don't understand what to do",
    "i don't know what to do", "i am confused", "i'm confused", "ich verstehe das nicht",
    "ich verstehe es nicht", "was muss ich tun", "was soll ich tun", "was mache ich jetzt",
    "und jetzt", "je ne comprends pas", "je n'y comprends rien", "que dois-je faire", "que faire",
    "no entiendo", "no entiendo nada", "qué hago", "qué tengo que hacer", "ik snap het niet",
    "ik begrijp het niet", "ik begrijp dit niet", "wat moet ik doen", "wat nu",
)  # fmt: skip
"""Asks how this works."""

RULES = (
    "rules", "the rules", "what are the rules", "rules please", "how are the rules",
    "how do i play", "how to play", "how do i play this", "how do i play this game",
    "how do you play", "how do you play this", "how is this played", "how do i win",
    "how do you win", "wie gewinne ich", "wie spiele ich",
    "comment jouer", "cómo se juega", "come si gioca", "como se joga", "regeln",
    "wie sind die regeln", "règles", "les règles", "reglas", "regole", "regras", "regels",
    "spelregels", "regler", "reglerna", "säännöt", "zasady", "pravidla", "szabályok", "правила",
    "kurallar", "κανόνες", "ルール", "规则", "규칙",
    "was sind die regeln", "die regeln", "spielregeln", "wie spielt man das", "wie spielt man",
    "wie geht das spiel", "was ist das für ein spiel", "quelles sont les règles", "règles du jeu",
    "les règles du jeu", "comment on joue", "comment ça se joue", "cuáles son las reglas",
    "las reglas", "reglas del juego", "cómo se gana", "wat zijn de regels", "de regels",
    "hoe speel je dit", "hoe speel ik dit", "i don't know this game", "i don't know the rules",
    "i don't know this game yet", "what is this game", "what's this game",
    "what kind of game is this", "explain the rules", "explain the game",
    "how do i move", "how do i make a move", "how can i move", "wie ziehe ich",
    "wie mache ich einen zug", "comment jouer un coup", "cómo muevo", "hoe doe ik een zet",
)  # fmt: skip
"""Asks for the rules of the game."""

SHOW = (
    "show", "show board", "show the board", "show me the board", "the board", "board",
    "board please", "show the game", "where are we", "whose turn is it", "whose move is it",
    "is it my turn", "who's turn is it", "whos turn is it", "whose go is it", "is it my go",
    "what is the position", "what's the position", "who is winning", "who's winning",
    "who is ahead", "send the board", "send the board again", "send me the board",
    "can you send the board again", "resend", "send again", "send it again",
    "how much time do i have", "how much time do i have left", "how much time is left",
    "when do i have to move", "how long do i have", "how long do i have left", "when is it due",
    "when is my move due", "who am i playing", "who am i playing against", "who am i playing with",
    "who is my opponent", "who's my opponent", "brett", "zeig das brett", "wer ist dran",
    "bin ich dran", "wer ist am zug", "bin ich am zug", "gegen wen spiele ich", "spielstand",
    "wie lange habe ich noch", "wie lange habe ich zeit", "wie viel zeit habe ich noch",
    "c'est à qui", "à qui le tour", "à qui de jouer", "c'est mon tour", "contre qui je joue",
    "a quién le toca", "me toca", "es mi turno", "contra quién juego",
    "zeig mir das brett", "zeig mir das spiel", "das brett", "wie steht es", "wie steht das spiel",
    "à qui le tour de jouer", "c'est à qui de jouer", "c'est à moi", "c'est à moi de jouer",
    "à moi", "montre-moi le plateau", "montrez-moi le plateau", "montre le plateau", "le plateau",
    "de quién es el turno", "me toca a mí", "es mi turno", "muéstrame el tablero", "el tablero",
    "wie is er aan zet", "wie is aan zet", "ben ik aan zet", "ben ik aan de beurt",
    "wie is aan de beurt", "laat het bord zien", "het bord", "tegen wie speel ik",
    "is this game still on", "is the game still on", "what color am i", "what colour am i",
    "which color am i", "which colour am i", "which side am i", "am i x or o", "which one am i",
    "which stones are mine", "what am i playing", "welche farbe habe ich", "wer bin ich",
    "welche steine habe ich", "quelle couleur suis-je", "qué color soy", "welke kleur ben ik",
    "who won", "did i win", "did i lose", "is it over", "is the game over",
)  # fmt: skip
"""Asks for the board."""

HINT = (
    "hint", "a hint", "hints", "give me a hint", "i need a hint", "hint please",
    "can i have a hint", "can i get a hint", "any hints", "any hint", "tip", "a tip",
    "give me a tip", "advice", "any advice", "what would you play", "what would you do",
    "what should i play", "what shall i play", "what do i play", "what can i play",
    "where should i play", "where would you play", "which move", "which move is best",
    "what is the best move", "what's the best move", "best move", "suggest a move", "suggestion",
    "any suggestions", "show me a good move", "i am stuck", "i'm stuck", "tipp", "ein tipp",
    "gib mir einen tipp", "hinweis", "was würdest du spielen", "was soll ich spielen", "indice",
    "un indice", "que jouerais-tu", "que dois-je jouer", "pista", "una pista", "qué jugarías",
    "suggerimento", "un suggerimento", "dica", "uma dica", "tip graag", "wat zou jij spelen",
    "tips", "ett tips", "et tips", "vihje", "podpowiedź", "wskazówka", "nápověda", "tipp kérek",
    "подсказка", "подскажи", "підказка", "ipucu", "υπόδειξη", "ヒント", "提示", "힌트",
    "que jouer", "wat moet ik spelen",
)  # fmt: skip
"""Asks what to play."""

ANALYSE = (
    "analyse", "analyze", "analysis", "an analysis", "analyse this match", "analyze this match",
    "analyse this game", "analyze this game", "analyse the match", "analyze the match",
    "analyse the game", "analyze the game", "analyse my game", "analyze my game", "analyse it",
    "analyze it", "analyse this", "analyze this", "how did i play", "how did we play",
    "how well did i play", "what did i do wrong", "what went wrong", "where did i go wrong",
    "where did i lose", "where did i lose it", "why did i lose", "what was my mistake",
    "what were my mistakes", "what was wrong", "review", "review this game", "review the game",
    "analyse bitte", "wie habe ich gespielt", "wo war mein fehler", "was habe ich falsch gemacht",
    "warum habe ich verloren", "analyser", "analyse la partie", "comment ai-je joué",
    "qu'ai-je fait de mal", "análisis", "analiza la partida", "cómo jugué", "analisi",
    "come ho giocato", "análise", "como joguei", "hoe heb ik gespeeld", "analys", "analysera",
    "analyysi", "analiza", "analýza", "elemzés", "анализ", "аналіз", "analiz", "ανάλυση", "分析",
    "解析", "検討", "분석",
    "how did i lose", "how did i win", "why did i win", "warum habe ich gewonnen",
    "pourquoi ai-je perdu", "por qué perdí", "waarom heb ik verloren",
)  # fmt: skip
"""Asks how a match went."""

LIST = (
    "what games are there", "which games are there", "what games do you have",
    "which games do you have", "what can i play here", "what can we play",
    "what games can i play", "which games can i play", "who plays here", "who is here",
    "who is online", "who else is here", "who else plays here", "list of games",
    "welche spiele gibt es", "welche spiele habt ihr", "was kann man hier spielen",
    "wer spielt hier", "wer ist hier", "quels jeux avez-vous", "quels jeux y a-t-il",
    "qui joue ici", "qué juegos hay", "qué juegos tienen", "quién juega aquí",
    "welke spellen zijn er", "welke spelletjes zijn er", "wie speelt hier",
)  # fmt: skip
"""Asks which games there are, and who plays them."""
