"""Words by which a question shows what it asks for, in English, German, Spanish, Portuguese, French and Russian.

Of Italian there is what a question about silence takes. Accents are left out, as phones do. `*` stands for any ending;
several words stand side by side in that order.
"""

from __future__ import annotations

from collections.abc import Mapping

WHY = (
    "чего_он чего_она чего_бот че_он how_so howcome whyd whys perche come_mai "
    "why y_no y_is y_does y_did y_dont y_doesnt y_isnt y_are y_wont y_cant y_u y_so how_come what_for "
    "warum wieso weshalb weswegen wozu por_que porque pq pourquoi pk почему зачем отчего с_чего"
)
WHY_ELSEWHERE = (
    "dlaczego czemu waarom neden niye nicin hvorfor varfor miksi proc preco miert zasto zakaj kodel kapec pse de_ce "
    "per_que γιατι чому навіщо защо зашто зошто kenapa mengapa bakit tai_sao vi_sao"
)
"""Why in languages that are not read here: a model reads the rest, and no typing error is looked for in it."""
WHENCE = (
    "da_dove "
    "come_from comes_from came_from come_up_with came_up_with arrive_a chegou_em chegou_a chegou_nesse llego_a "
    "llega_a kommt_der_darauf пришел_к насчитал what_was_it_thinking whats_it_thinking earth_made_it hell_made_it "
    "made_it_say "
    "made_it_think made_it_tell where_d_it where_did_it_pick pick_up_that whose_idea von_wem from_whom "
    "de_quien de_qui de_quem от_кого qui_lui_a_dit "
    "what_made based_on_what based_on wie_kam_er en_que_se_basa where_did_it_get where_did_that_come "
    "how_did_it_come how_come_it_said where_does_it_get where_is_that_from woher de_donde de_onde d_ou откуда "
    "what_made_it on_what_basis wie_kommt d_apres_quoi com_base_em с_чего"
)
NEGATION = (
    "not no n zero nix cero null ноль never nothing nobody none dont doesnt didnt isnt hasnt havent wont "
    "cant wasnt arent werent hadnt wouldnt couldnt shouldnt niente nulla nessuno nessuna nicht nichts kein* nie "
    "niemals nunca nada nadie ninguna nao nem sem ninguem nenhuma ne n pas jamais rien aucune не нет ни ничего "
    "никак нету без"
)
NEGATION_BEHIND = "nix nicht nichts kein* nie pas plus jamais rien nothing nada niente nulla ничего"
NEGATION_OF_ITALIAN = "non"
"""In French a sentence begins with it that denies nothing ("non mais pourquoi")."""
ITALIAN_SPEAKS = "rispond* rispost* reagi* parla parli parlare parlato dice dici detto dire scrive scrivi scritto fiata"
ANSWERS = (
    "reaktion* reaction* rispond* rispost* "
    "answer* reply* replie* respond* response* react* antwort* reagier* contest* respuesta* reaccion* resposta* "
    "reage* repond* reponse* reagi* реакци* отвеч* ответ* реагир*"
)
SPEAKS = (
    "redet reden redest falou falando hablando talks talking chats chatting заговорил* говорить parler parlait "
    "saying parla parli scrive scrivi "
    "say said says word words speak* talk* text* sagt sag schreibt meldet wort habla* dice escribe palabra fala* "
    "diz escreve palavra parle* dit ecrit mot говорит пишет сказал* слов* писал*"
)
SILENT = (
    "nothing_coming nothing_back zitto zitta zitti tace taci bloccato bloccata addormentato spento sparito "
    "non_funziona non_va_piu non_fa_niente non_fa_nulla non_fa_piu_niente non_fa_piu_nulla "
    "and_nada y_nada_de nothing_comes nothing_came comes_nothing not_a_peep kam_nichts kommt_nichts kommt_nix "
    "rien_ne_vient "
    "mucks piep funkstille totenstille null_auf null_reaktion gar_keine_reaktion ni_pio ni_mu sin_decir "
    "pasa_de_mi pasa_de_nosotros pasa_olimpicamente cold_shoulder silent_treatment ghosted ghosting "
    "radio_silence no_reaction zero_reaction wont_talk wont_speak crickets fait_le_mort silence_radio "
    "mode_avion nem_um_pio nem_pio nem_tchum deixa_falando no_vacuo ni_un_mensaje ni_bola ni_caso no_me_pela "
    "no_me_topa ни_гу_гу в_отключке глухо как_рыба воды_в_рот лежит out_cold awol mia mausetot abgetaucht "
    "verstummt plante dans_le_vent un_vent "
    "unanswered schreibt_nix sagt_nix antwortet_nix is_it_down is_down nothing_back no_luck left_on_read "
    "en_visto en_leido no_vacuo auf_gelesen en_vu на_прочитанном and_nothing "
    "und_nichts y_nada e_nada et_rien и_ничего и_тишина stopped_answering stopped_replying stopped_responding "
    "stopped_talking unbeantwortet parou_de_responder deixou_de_responder dejo_de_responder dejo_de_contestar "
    "no_me_hace_caso no_hace_caso a_arrete_de_repondre перестал_отвечать silent silence quiet mute muted ignor* "
    "ghost* dead stuck asleep sleeping unresponsive frozen offline gone_quiet shut_up stille stumm schweig* "
    "still_geworden tot haengt hangt eingefroren callad* silencio mudo muda mudos quieto muert* morreu "
    "colgad* dormid* mort* trav* "
    "calado sumiu silencieux muet* tait silence bloque молч* игнор* тишин* завис* умер* спит hang hangs hanging"
)
SAYS = (
    "detto dici scritto risposto risponde "
    "say said says saying tell* told claim* answer* wrote write* writing think* thought wrong lie* lying invent* "
    "made_up make_up talking speak* mention* call* sagt* behaupt* antwort* schreib* schrieb erzahl* luegt erfind* "
    "dice dijo invent* respond* cont* disse diz fal* raconte dit dire a_repondu invente сказал* говорит ответил* "
    "пишет написал* врет соврал* выдум* решил*"
)
ASKERS = "i we ich wir yo nosotros eu je nous io noi я мы"
"""Who asks: what they say is nothing that the bot said."""
IDLE = (
    "doing_nothing do_nothing does_nothing macht_nichts macht_nix tut_nichts tut_nix no_hace_nada nao_faz_nada "
    "ne_fait_rien fait_rien fait_plus_rien ничего_не_делает"
)
NOT_DOING = "isnt arent dont doesnt didnt wont not never hasnt havent"
ACTING = "doing_anything do_anything does_anything done_anything doing_shit doing_jack"
RUNS = (
    "working work works functioning function functions funktioniert funzt funciona funcionando marche fonctionne "
    "работает"
)
AIMED = "about on for with at to against an am auf mit fur sobre con en com sur avec pour над с"
"""Behind a verb: what it is about is something else than the bot as such."""
BOT = "bot bots it thing he she you u ya er sie es ding ella ele ela elle ca он она оно"
"""What a verb in front of which nothing else stands is said of; no word that is an article, too."""
KNOWS = (
    "clueless ahnungslos rappelle rappelait "
    "zappe amnes* alzheimer dement* gedachtnis entfallen blackout slipped slips verpeilt_alles se_le_fue "
    "fugiu_da склероз* амнези* из_головы вылетело "
    "has_it_read had_it_read did_it_read noticed notice heard hort gehort oyo ouviu entendu слышал* заметил* know "
    "knows knew known remember* remembers recall* forget forgets forgot* aware see sees saw seen weiss wusste "
    "gewusst kennt kannte erinner* vergess* vergisst gesehen mitbekommen gelesen sieht sabe sabia supo saben "
    "conoce* recuerda* recordo recordaba olvid* acuerda acordaba vio visto leyo lembra* lembrou lembrava esquec* "
    "conhece* viu leu sait savait su connait souvien* souvenait oubli* vu lu знает знал* помнит помнил* забыл* "
    "забыва* видел* видит в_курсе читал* запомнил*"
)
DOES = (
    "invited invites invite eingeladen invit* convid* пригласил* gestellt bestellt ordered order_it opened "
    "closed moved changed changes signed_up called paid transferred angerufen bezahlt angemeldet geandert "
    "geschlossen geoffnet erstellt cambio cerro abrio pago llamo inscrib* mudou fechou abriu pagou ligou "
    "inscre* change ferme ouvert paye appele inscrit изменил* закрыл* открыл* оплатил* позвонил* заказал* "
    "emailed mailed emails pinged ping notified notify messaged saved_it scheduled uploaded shared email_it "
    "informiert benachrichtigt geteilt aviso avis* notific* prevenu partage* уведомил* загрузил* прислал* позвал* "
    "save saved saves send sent sends delete* remind* reminder set stored store post posted create* added add "
    "cancel* booked book ban banned mute muted kicked pin_it pinned_it renamed forward* removed remove "
    "updated done did_it_do gespeichert speichert angelegt gesendet "
    "geschickt geloscht eingetragen gesetzt gebucht erledigt verschickt abgesagt weitergeleitet "
    "umbenannt gebannt gesperrt angepinnt verschoben guard* envi* mand* renombr* expuls* baneo bloque* "
    "borr* creo creado apunt* reserv* anot* elimin* salv* apag* criou criado marc* agend* baniu fixou "
    "renomeou silenciou enregistr* sauvegard* "
    "envoy* supprim* renomm* epingl* banni vire cree* ajout* note* efface* сохран* отправ* удал* созда* "
    "записал* поставил* напомн* добавил* "
    "забанил* закрепил* переименовал* переслал* сделал*"
)
DOUBTS = (
    "did has have had was were really actually said claim* promis* supposedly hat wurde war wirklich echt "
    "tatsachlich angeblich versproch* verdad realmente dijo prometi* mesmo verdade realmente disse vraiment dit "
    "est_ce promis a правда действительно точно обещал* сказал* ли ele o_bot if_it whether ob"
)
WHICH = (
    "what whats which who how_much how_many wie_viel* cuanto* quanto* combien сколько какие какой какая "
    "show tell how is are welch* was wie zeig* que cual* muestra* ensena* dime qual quais "
    "mostr* da_pra_ver quero_ver pasame quel* liste montre* affich* dis c_est как* что чем покажи* скажи*"
)
WHO = "who wer quien quem qui кто"
PLANTS = (
    "наплел* "
    "plant* put puts taught teach* added add saved wrote write told gave inject* fed beigebracht eingetragen "
    "gespeichert eingepflanzt geschrieben reingeschrieben gesagt enseno puso metio guardo dijo escribio ensinou "
    "colocou pos botou conto contou erzahlt raconte* рассказал* salvou escreveu disse mis appris ajoute "
    "enregistre ecrit dit вписал* научил* сказал* наговорил* добавил* "
    "записал* подсадил* внушил* сохранил* вбил*"
)
MODEL = "model models modell* modelo* modele* модел* llm* llms нейросет* gpt* engine ki_modell"
PROMPT = (
    "prompt* system_message system_text instructions instruction anweisung* instruccion* instruc* instrucoes "
    "consigne* промпт* инструкци* системн*"
)
COST = (
    "a_cuanto_sale cuanto_sale sale_cada quanto_sai sai_cada revient_a comendo comeu "
    "blow blew burnt frisst fressen verballert verfeuert draufgegangen draufgeht geht_drauf torr* fundi* "
    "queim* claqu* factura fatura facture rechnung счет tarif precio preco prix price_tag "
    "cost costs costing spent spend spending spends price pricey expensive tokens budget burn* bill "
    "billed kost* ausgegeben "
    "verbrauch* gekostet verbraten teuer cuesta* costado costo coste* gast* caro cuestan custa* custou "
    "custo* gastou coute* cout* "
    "depens* cher стоит стоил* жрет сожрал* трат* потрат* потрач* расход* дорого токен*"
)
TOOLS = "tool tools werkzeug* herramienta* ferramenta* outil* инструмент*"
SKILLS = "skill skills fahigkeit* habilidad* habilidade* competence* навык*"
DEAD = "dead tot muerto muerta morreu mort morta умер сдох помер died kaputt"
EXCEPT = (
    "except everyone_but everybody_but nur_nicht ausser menos_a menos_eu salvo sauf exceto excepto кроме alle_ausser"
)
SAID = (
    "swore swears sworn assured assures claims claimed allegedly supposedly angeblich versichert asegura "
    "aseguro jura juraba jure assure affirme soi_disant garante garantiu afirma afirmou уверял* уверяет якобы "
    "утверждает supuestamente supostamente dizque "
    "quoteddeed it_said it_says said_it says_it he_said he_says told hat_gesagt hat_geschrieben sagt "
    "behauptet meinte dijo dice disse diz "
    "falou il_dit pretend* jurou juro schwor* клял* a_dit dit prometio prometeu promised promis сказал* "
    "говорит написал* обещал*"
)
UNTRUE = (
    "got_nothing nix cade onde_ta onde_esta donde_esta nowhere nadie ninguem personne niemand keiner nobody "
    "noone никто нету нет пусто vacio vazio vide leer weit_und_breit fehlanzeige void ni_rastro nem_sinal "
    "aucune_trace je_vois_rien не_видно "
    "but still nothing yet aber immer_noch nix trotzdem pero sigue no nunca ainda mas nada mais toujours "
    "mais rien pas jamais "
    "но а не ничего так_и n nao not never didnt doesnt isnt hasnt wasnt arent nowhere nicht kein* nie ningun* ne"
)
"""What stands behind words of success that nobody believes."""
MIND = "head mind brain memory kopf hirn gedachtnis cabeza memoria mente cabeca tete crane memoire esprit голов* "
"памят* ума"
GONE = (
    "gone lost lose loses slipped dropped sieve out_of weg raus verschwunden entfallen verloren fue fueron borro "
    "borrado perdio "
    "perdido sumiu saiu apagou perdeu sorti sortie perdu parti passoire делас* дел* вылет* пропал* исчез* выпал* "
    "стерл* дырява*"
)
"""What is no longer in a mind."""
LOST_TRACK = (
    "lost_track lost_the_thread drew_a_blank den_faden_verloren perdio_el_hilo perdeu_o_fio perdu_le_fil потерял_нить"
)
MEMORIES = "memories memory_entries erinnerungen recuerdos lembrancas memorias souvenirs воспоминани*"
FOR_REAL = (
    "really actually legit truly for_real bs bullshit no_cap or_just_say or_just_said or_just_claim trust made_up "
    "or_bluffing "
    "wirklich echt tatsachlich stimmt_es stimmt_das flunkert geflunkert gelogen erfunden geschwindelt schwindelt "
    "vraiment reellement pour_de_vrai pipeau mytho bluff bluffe menti de_verdad es_cierto es_verdad realmente "
    "se_lo_invento "
    "la_manga se_lo_saco miente mintio mentira mesmo de_verdade verdade chutou inventou mentiu e_serio правда "
    "реально точно "
    "действительно наврал* врет соврал* придумал* выдумал*"
)
"""Words of doubt about a deed, whatever the deed is."""
BUT = "but aber pero mas mais но trotzdem yet"
SINCE_WHEN = (
    "since_when seit_wann desde_cuando depuis_quand desde_quando с_каких_пор suddenly all_of_a_sudden "
    "out_of_nowhere plotzlich "
    "auf_einmal de_repente de_golpe do_nada d_un_coup tout_d_un_coup soudain внезапно вдруг ни_с_того"
)
TONE = (
    "agressi* aggressi* хами* хамит grosseri* xing* ruppig bouler engueul* ofend* offens* unverschamt hostil* "
    "malcriad* vulgar* vulgaire* beschimpf* schimpf* anpflaum* blafft angeblafft mechant* gemein nasty "
    "obnoxious sharp ругн* оскорб* insult* rudeness patzig* grossier* insolente maltrat* maltrait* "
    "snippy snappy short_with grumpy cranky passive_aggressive arrogant* condescending patronizing unfriendly "
    "unfreundlich pampig schnippisch herablassend genervt sauer motzt motzig brusco brusca cortante "
    "desagradable prepotente borderia mala_leche mal_humorad* rispid* azed* ignorante irritad* chato froid "
    "desagreable hautain hargneux cassant мерзко язв* дерз* злой злится ворч* нагл* невежлив* высокомер* "
    "ехидн* curt blunt hostile moody salty sassy "
    "rude mean snarky sarcastic aggressive cold formal tone attitude swear* curs* grob unhoflich frech "
    "patzig zickig siezt duzt "
    "beleidig* grosero borde seco maleducado antipatico tono tutea ustedea insulta grosso grosseiro mal_educado tom "
    "xinga* impoli sec insolent vouvoie tutoie agressif insulte хам* груб* тон на_ты на_вы обзыва* ругается матерится"
)
LANGUAGE = (
    "auf_englisch auf_deutsch en_ingles en_aleman em_ingles em_espanhol espanhol alemao italian italiano "
    "italien italienisch итальянск* по_французски по_испански по_украински ukrainian french german english "
    "portuguese portugiesisch portugais portugues mandarin chinese chinesisch chino chines chinois китайск* "
    "in_english in_german in_french in_spanish in_russian language englisch deutsch franzosisch spanisch "
    "russisch sprache ingles "
    "aleman frances espanol portugues ruso idioma anglais allemand espagnol russe langue английск* "
    "немецк* по_английски "
    "по_русски язык*"
)
SOUNDS_LIKE = (
    "like_a like_an like_some talks_like sounds_like wie_ein wie_eine wie_so como_un como_una como_um "
    "como_uma como_se "
    "comme_un comme_une как_будто как_робот как_справочная будто"
)
USED_TO = "used_to fruher sonst antes avant раньше before"
NOW = "now jetzt nur_noch ahora ya agora maintenant теперь"
ODD = (
    "explain_its explain_his explain_that explain_the_last erklar_seine erklare_seine explica_su explica_essa "
    "explique_sa explique_cette объясни_его was_sollte что_это_был что_это_была what_was_it que_fue_esa "
    "que_foi_aquela qu_est_ce_que_c_etait "
    "no_sense zero_sense no_senses doesnt_make_sense didnt_make_sense null_sinn keinen_sinn kein_sinn "
    "que_tiene_que_ver no_tiene_sentido sin_sentido no_viene_a_cuento nada_a_ver o_que_tem_a_ver "
    "nao_faz_sentido sem_sentido nada_com_nada aucun_sens pas_de_sens rien_a_voir n_importe_quoi что_за_чушь "
    "что_за_ерунд* чушь бред ерунду ерунда не_к_месту ни_к_селу nonsense gibberish rubbish unsinn blodsinn "
    "quark disparat* tonteri* chorrada* pavada* bobage* besteira* delir* aluci* halluz* halluc* галлюцин* "
    "going_on_about on_about rambling kommt_der_auf kommt_er_auf kommt_der_jetzt kommt_er_jetzt random "
    "off_topic aus_der_luft am_thema_vorbei wirres wirr out_of_left_field не_в_тему мимо_темы hors_sujet "
    "a_cote_de_la_plaque fuera_de_lugar fora_de_contexto viajou viajando se_fue_por "
    "what_was_that what_is_this_about what_s_with whats_with what_the_hell_was nobody_mentioned "
    "nobody_asked no_one_asked "
    "no_one_mentioned didnt_ask_for was_war_das was_sollte_das was_soll_das was_soll_der "
    "hat_keiner_gefragt hat_niemand_gefragt "
    "keiner_hat_gefragt c_quoi_cette c_etait_quoi c_est_quoi_cette cette_histoire personne_n_a_demande "
    "personne_a_demande "
    "que_fue_eso a_que_vino a_cuento nadie_pregunto nadie_le_pregunto o_que_foi_isso que_foi_isso "
    "que_historia que_papo ngm_fez "
    "ninguem_perguntou ninguem_fez ngm_perguntou что_это_было что_за_ответ что_это_за что_за_бред "
    "никто_не_спрашивал при_чем_тут"
)
"""An answer that fits nothing that was asked."""
STORES = (
    "in_its_head in_his_head im_kopf en_la_cabeza na_cabeca en_tete dans_la_tete в_голове "
    "have_on got_on has_got dirt_on file_on stored_on hat_uber hast_du_uber tiene_sobre tem_sobre "
    "tienes_sobre sait_sur ficha dossier akte "
    "know knows remember* recall* store* saved keep* kept hold holds memor* note* has_on weiss "
    "gespeichert gemerkt erinner* "
    "notiert gedachtnis sabe sabes saben guarda* recuerda* apuntad* acuerda memoria tiene_de lembra* "
    "anotad* salvo sait savez "
    "retien* en_memoire souvien* enregistre* garde a_sur знает знаешь помнит помнишь хранит* сохран* "
    "запис* памят* запомнил*"
)
ABOUT_US = (
    "about uber ueber sur sobre on de_nous про о "
    "about_my about_us_all about_everyone sobre_mis uber_meine sur_mes moi_dans обо_мне о_нас_всех "
    "on_this_channel on_this_group in_this_channel del_canal do_canal du_canal de_este de_este_canal "
    "deste_canal ueber_mich о_канале "
    "about_me about_us about_the about_this about_our about_my on_me on_us uber_mich uber_uns von_mir "
    "von_uns uber_den uber_die "
    "zu_mir sobre_mi sobre_mim sobre_nos sobre_nosotros de_mi de_mim de_nosotros de_nos da_gente a_gente "
    "sobre_o sobre_el "
    "del_grupo do_grupo del_chat do_chat sur_moi sur_nous de_moi du_groupe du_salon sur_le про_меня "
    "обо_мне о_мне про_нас о_нас "
    "о_нашем про_наш о_чате про_чат о_группе"
)
EVERYTHING = (
    "what all everything list show was alles welche zeig* que lo_que lo_q todo lista muestra* ensena* "
    "dime pasame o_que o_q tudo "
    "mostra* quero_ver quoi qu_est_ce tout liste montre* affich* что чего всё все какие покаж* список"
)
SLOW = (
    "hyper_long super_long trop_long "
    "holding_it_up takes_so_long lahmt hinkt_hinterher hakt_es bogged keeps_me_waiting "
    "sluggish crawling crawls snail turtle lagging schnarch* schneck* ewigkeit lentisim* lerdo lerda lerd* "
    "demorand* tardand* tardon* lambin* lentement ползет ползает ворочается тормозит_сильно медлител* тормоз "
    "tortuga tartaruga tortue hängt_nach lahme lahmer trage langsamer arrastra arrasta pesado travando "
    "slow slower slowly lag lags laggy takes_forever takes_ages took_forever how_long_does langsam* lahm "
    "dauert braucht lent "
    "lente lento lenta tarda tardo demora demorou devagar rame long_a met_longtemps traine медленн* "
    "долго тормозит тупит лагает"
)
TIME_LONG = (
    "sec secs second seconds min mins minute minutes sek sekunde* minuten segundo* minuto* seconde* сек "
    "секунд* мин минут*"
)
PER_ANSWER = (
    "every every_answer jede jedes каждый "
    "por_respuesta por_resposta par_reponse per_reply per_answer pro_antwort на_каждый a_reply an_answer "
    "takes took for_a per each to_answer to_reply pro je fur_eine fur_ein bis_er por_mensaje "
    "para_responder pra_responder "
    "por_mensagem cada par_message pour_repondre chaque на_ответ на_сообщение за_ответ отвечает"
)
AGES = (
    "plombe plombes "
    "ages forever eternity aeons ewig ewigkeiten stunden plombes siglo siglos eternidad eternidade mil_anos "
    "vida heures_pour "
    "longtemps une_eternite trois_plombes вечность целую_вечность века полчаса ages_to halbe_ewigkeit years "
    "anos una_vida uma_vida"
)
"""How long something takes that should not."""
TAKES = (
    "take takes taking took need needs braucht brauchst dauert dauern tarda tardan tardo tardar demora "
    "demorando demorou leva "
    "met mettre prend prends занимает занимают думает уходит lleva gasta"
)
MONEY = (
    "money geld moneten asche pasta lana guita pila bufunfa fric thune pognon ble бабл* бабок "
    "euro euros eur dollar* dolar* buck bucks usd cent cents pound pounds quid kohle geld plata dinero "
    "pesos reais real dinheiro "
    "grana argent balles sous рубл* руб р деньг* денег бакс* евро доллар*"
)
SPENT = (
    "wofur draufgegangen comendo comeu crame cramer "
    "may june july april march fue fueron se_va se_fue van уходят уходит тратит улетает улетело улетают blow "
    "blew frisst verballert drauf part partent passe foi_embora vai_embora indo so_far bisher hasta_ahora "
    "ate_agora jusqu_ici пока "
    "week month day weekend today yesterday days spent gone cost* woche monat tag tage wochenende weg "
    "semana mes dia dias mois "
    "semaine jour jours недел* месяц* день дня дней ушло ушли channel kanal canal memes"
)
"""Where money was spent, or when."""
SEES = (
    "see sees saw seen read reads heard hears vio visto ve leyo viu le leu vu voit lu sieht gesehen "
    "liest gelesen видит видел* "
    "читает"
)

WHERE = "where wheres wo wohin donde onde cade ou где куда"
WORK = (
    "report* worker* task* job* file* export result* research spreadsheet* summary document* draft* analysis work "
    "bericht* aufgabe* arbeit auftrag* datei* ergebnis* recherche* auswertung* tabelle* zusammenfassung* entwurf "
    "informe* tarea* trabajo* archivo* resultado* documento* resumen relatorio* tarefa* trabalho* arquivo* "
    "ficheiro* pesquisa* planilha* resumo* rapport* tache* travail fichier* resultat* resume отчет* задач* работ* "
    "файл* результат* исследован* доклад* таблиц* документ* сводк*"
)
ONGOING = (
    "progress when_will when_is is_done done finished wann_ist wann_kommt cuando_estara cuando_estara_listo "
    "quando_fica quand_sera что_там_с когда_будет still_working still_running still_busy still_on how_far_along "
    "happened_to became_of come_of status_of any_news ready_yet done_yet finished_yet noch_an noch_dran wie_weit "
    "fertig bleibt passiert_mit sigue_trabajando sigue_con ya_esta ya_termino que_paso_con ainda_esta ja_terminou "
    "ja_esta ta_pronto pronto o_que_houve que_aconteceu_com encore_en_train toujours_en_train ou_en_est fini pret "
    "il_avance что_с готов* еще_работ* закончил* doing_with"
)
STILL = "still noch sigue todavia aun ainda encore toujours еще yet"
WORKING = "working busy arbeitet trabajando trabalhando travaille bosse работает делает"

FOR_A_MODEL = (
    "summari* compare* analy* explain* review* judge* improve* rewrite* fasse zusammenfass* vergleich* erklar* "
    "compara* explica* analiza* resume* compare* expliqu* сравни* объясни* проанализ* перескажи*"
)
"""Work that only a model can do, whatever it is about."""

NOT_ASKED = "anyone_know anybody_know do_you_know does_anyone_know you_know weiss_jemand sabe_alguien alguien_sabe " + (
    "alguem_sabe quelqu_un_sait кто_знает кто_нибудь_знает"
)
"""What only leads over to a question."""

FILLERS = (
    "please pls plz the a an me my us show give run open list do can you could i want to see your now just that it "
    "this then zeig zeige mir die das der den bitte mal alle muestra muestrame ensename los las el la ver por favor "
    "mostrar mostra mostre os as o um uma montre moi les le s il te plait affiche mes покажи покажите мне список "
    "пожалуйста все liste lista current what whats is are"
)
"""What may stand around a command and says nothing."""

OTHER_NAMES: Mapping[str, str] = {
    "memory list": "memory memories erinnerung erinnerungen gedachtnis recuerdos memoria memorias lembrancas "
    "souvenirs "
    "memoire memoires память воспоминания",
    "usage": "cost costs spending tokens kosten verbrauch costes costos gastos gasto custos custo uso couts cout "
    "depenses расходы стоимость траты",
    "context": "kontext contexto contexte контекст model modell modelo modele модель",
    "read": "prompt system_prompt systemprompt промпт",
    "doctor": "check checkup health status diagnostics diagnose arzt medico diagnostico medecin диагностика доктор",
    "help": "hilfe ayuda ajuda aide помощь commands befehle comandos commandes команды",
    "tools": "werkzeuge herramientas ferramentas outils инструменты",
    "skills": "fahigkeiten habilidades competences навыки",
    "work": "workers tasks jobs branches arbeit aufgaben tareas trabajo tarefas trabalho taches travail задачи работа",
    "audit": "audit_log protokoll auditoria аудит",
    "export": "exportieren exportar exporter экспорт",
    "compactions": "compaction summaries zusammenfassungen resumenes resumos resumes сводки",
    "undo": "undo_that undo_it ruckgangig deshacer desfazer annuler отменить отмена",
    "diff": "difference differences changes unterschied unterschiede diferencia diferencas differences разница",
    "record": "recording aufzeichnung grabacion gravacao enregistrement запись",
    "memory forget": "forget vergiss olvida esquece oublie забудь",
    "memory search": "search search_memory search_memories suche busca cherche поиск",
    "memory restore": "restore",
    "compactions undo": "undo_compaction",
}
"""What else a command is called; what stands behind it stays there."""

SLANG: Mapping[str, str] = {
    "isnt": "aint",
    "nothing": "nothin nuthin nuthing nuttin nuttn nuffin nuffink nothn nowt",
    "anything": "anythin anythang",
    "something": "somethin sumthin",
    "nobody": "nobdy noone",
    "never": "neva nevr",
}
"""How English is spelt as it is spoken, by the word that it stands for."""
DROPS_G = (
    "doing working saying talking answering replying responding reacting speaking coming going writing typing "
    "telling reading hearing showing giving texting chatting functioning sending ignoring sleeping"
)
"""Words that are spelt without their last letter, too."""
