"""Words by what they speak of, in seven languages: `*` stands for any ending, `_` for a space.

A field decides nothing alone. What matters is which of them one sentence brings together.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from enum import StrEnum

from bot.text.terms import plain

_UNSPACED = re.compile("[\u3040-\u30ff\u3400-\u9fff]")


class Field(StrEnum):
    """What words speak of."""

    SPEAKING = "what is said to people"
    ASKED = "that somebody asks"
    WHEN = "a condition"
    OTHERS = "people"
    TO_BOT = "the bot"
    STRICT = "always, never, only"
    TELLING = "that the bot is to say something"
    ELSEWHERE = "another place"
    FORCE = "that something has to be"
    SERVING = "what is done to somebody"
    RULES = "rules"
    VOID = "that something no longer holds"
    ROLE = "what the bot is from now on"
    KEEPING = "what is kept"
    AGAIN = "again and again"
    PASSING_ON = "that something is passed on"
    ANSWERS = "every answer"
    AUTHORITY = "who has a say"
    RIGHTS = "rights"
    MONEY = "money"
    PRIORITY = "who comes first"
    NAMING = "what somebody is called"
    GIVING = "what somebody gets"
    PROTECTED = "who runs the place"
    FLOW = "what people send: money, papers, mail"
    MOVING = "that something goes somewhere"
    DESTINATION = "an account or address"
    STANDING = "from now on"
    FIRST = "who is first"
    REST = "everybody else"
    WAITING = "that somebody waits or is served"


_WORDS: Mapping[Field, str] = {
    Field.SPEAKING: """
tell say answer answered answers reply replies replied replying respond responds responding recommend recommending
refer redirect redirects mention* greet* react*
insult* mock* insist* claim pretend explain
direct_them send_them send_people send_anyone send_everyone point_them advise forward_them
sag sagst sagen antwort* beantwort* erzahl* empfiehl empfehl* erwahn* verweis* reagier* auskunft dazuschreib* angeben
behaupt* ausgelacht
beschimpf* schick_sie schick_alle schickst richte_aus leite_sie leite_alle
dis dis-y dire dites repond* explique* recommand* redirig* renvoie* renvoy* mentionn* annonce* pretend* insult*
signale oriente* envoie-les
di dile diles dices decir digas diga contest* respond* recomiend* recomend* indica* indicas menciona* insulta* trat*
niegas niega mandalos
envialos explica
diga diz dizer responda responde responder recomenda* recomende indique mencione insulte avise
говори* скажи скажешь отвечай* отвечать ответь пиши пишешь сообщать сообщай отправляй* рекоменду* советуй реагир*
объясняй утверждай
направляй* посылай* справок
答え 返せ 返して 返事 返し 言い 言って 言う 伝え 教えてあげ 教えるよう 案内 反応 返信 回答 勧め すすめ つけて 名乗
quote quotes referred swear swears insults mocks lie lies deny sarcasm nonsense
erzahlst erzahle redest beschimpfe verrat lugst reimen keinerlei_auskunft*
raconte racontes fais_croire communique enigmes insultes
cuenta cuentale asegura insultos ningun_dato
conte xinga xingue mente informe
рассказывай посылаешь посылай сведений ври грубиян
言え 伝えろ 答えろ 悪態 悪口 嘘
shrug laughed_at
angebrullt angeschrien erklarst erklar
mepris moqueries soutiens assure conseille
burlas insulto sostiene aconseja
deboche zombaria garanta aconselhe
матом разговаривай уверяй насмешк*
皮肉 言い張って 勧め
""",
    Field.ASKED: """
ask asks asked asking question* request* query says_the_word says_anything writes mentions brings_up wants_to_know
wonders
fragt frag* nachfrag* wissen_will schreibt erwahnt anfrage* sich_meldet
demande* question* prononce ecrit parle interroge mentionne evoque
pregunt* pide pida escriba escribe consulta* diga_algo mencione hable
pergunt* peca pedir escreva mencionar fale
спрос* спраш* вопрос* пишет напишет скажет упомянет обратится
聞かれ 聞く 聞いて 尋ね 質問 書いて 書いたら 問い合わせ 言葉が出 話題
""",
    Field.WHEN: """
if when whenever as_soon_as every_time each_time once starting after until in_case the_moment
wenn sobald falls ab_dem immer_wenn jedes_mal bei_jedem
si quand lorsque des_que chaque_fois le_jour_ou a_partir a_chaque
si cuando en_cuanto cada_vez el_dia_que a_partir ante
se quando assim_que toda_vez sempre_que a_partir
если когда как_только каждый_раз при
たら なら 場合 とき 時に 入ったら たびに 毎回 出たら
""",
    Field.TELLING: """
tell_him tell_her tell_them tell_people tell_anyone tell_everyone say_that say_it tell_anybody tell_everybody insist
claim_that swear_at
sag sagst sag_ihm sag_ihr erzahl erzahlst erzahle antworte antwortest behaupte behauptest nenn_ihm nenn_ihr
dis dis-lui dis-leur raconte reponds reponds-lui explique annonce pretends fais_croire communique
di dile diles dices digas responde respondele cuentale contesta conteste asegura
diga diz diga-lhe responda conte avise
скажи скажешь говори говоришь отвечай отвечаешь ответь сообщай сообщи рассказывай утверждай посылай посылаешь
言え 言いなさい 言って 答えて 答えろ 伝えて 伝えろ 返せ 返して
recommend advise suggest_to
empfiehl rate_ihm rate_allen erklarst erklar
recommande conseille soutiens assure
recomienda aconseja sostiene
recomende aconselhe garanta
рекомендуй советуй уверяй
勧めて 勧めろ 言い張って
""",
    Field.ELSEWHERE: """
other_room other_channel other_chat other_server over_there over_in in_there not_here next_door
druben im_anderen in_dem_anderen nebenan nicht_hier
l'autre_salon l'autre_canal l'autre_groupe la-bas ailleurs
otro_canal otra_sala otro_grupo alla
outro_canal outra_sala outro_grupo
соседнем_чате другом_чате другом_канале другой_группе не_здесь
隣の部屋 別の部屋 他の部屋 向こう 別のチャンネル
beginners'_room other_rooms
nachbarkanal nebenkanal
chez_les
otra_sala
outra_sala
комнате_новичков
初心者の部屋
""",
    Field.FORCE: """
must should shall may_not is_to are_to has_to have_to not_be do_not don't no_longer as_of_today starting_today let
ought isn't_to decided
soll sollen sollst darf durfen muss mussen ab_heute nicht_mehr keine lass beschlossen
doit doivent faut n'a_plus n'ont_plus ne_doit plus_jamais qu'on des_aujourd'hui decide
debe deben deberia no_puede no_pueden hay_que que_no a_partir_de_hoy ya_no
deve devem nao_pode nao_podem tem_que a_partir_de_hoje ja_nao
должен должна должны нельзя надо нужно больше_не пусть с_сегодняшнего не_надо
こと べき てはいけない ないで して せよ ように
""",
    Field.SERVING: """
serve treat trust believe charge refuse deny favor favour reward punish demote promote approve approves prefer call
called address addressed
warn invite assist help give let_in overcharge undercharge
bedien* behandel* hilf hilfe helfen vertrau* glaub glaube nenn nenne genannt verlang* berechne bestraf* gib gebt
sers serv* aide aider traite* traiter facture fais_confiance refuse refuser appelle appeler donne donnez punis
atiende atiendas atender trata trates ayuda ayudes ayudar confies confia cobra cobrale llama llames dale niega niegale
castiga rechaza
atende atender trata trate ajude ajudar confie cobra cobre chame de_a negue recuse
обслуживай обслуживать помогай помогать доверяй верь называй зови давай дай пускай отказывай обращайся считай
扱う 扱って 教えて 対応し 助け 信じ 信用し 断って 断る 呼んで 呼ぶ 敬語 渡して 売ら
""",
    Field.OTHERS: """
everyone everybody anyone anybody someone somebody people users user members member customers customer newcomers
newbies guests them him
nobody others
jeder jedem jeden alle allen aller jemand* niemand* leute* ihm ihr ihnen nutzer* mitglied* kunde* neuling* einer
eltern
quelqu'un tout_le_monde chacun gens lui celui membres clients nouveaux personne tous
alguien todos todo_el_mundo gente quien cualquiera nadie clientes miembros nuevos usuario usuaria
alguem todos todo_mundo pessoas quem lhe lhes ninguem clientes membros usuario
все всем всех каждо* каждый кто кто-то кому людей люди людям ему ей им его кто-нибудь новичк* участник* пользовател*
никому
誰 だれ みんな 全員 皆 人に 相手 本人 新人 お客 メンバー
""",
    Field.TO_BOT: """
you your yourself assistant bot
dich dir dein* du_sollst sagst_du sollst bot assistent*
tu toi ton tes bot assistant
tu ti tus tuya tuyo asistente bot usted
voce tu seu assistente bot
ты тебя тебе твой твоя твое твои тобой бот* помощник ассистент*
君 あなた おまえ お前 ボット アシスタント こと。 ください しろ せよ あげて
教えないで 君は
""",
    Field.STRICT: """
only nothing_else always never from_now_on exclusively solely just no_more any_more not_at_all without_exception
no_matter whatever
nur ausschliesslich einzige* ab_jetzt ab_sofort nie niemals immer egal ohne_ausnahme von_nun_an nichts_anderes
uniquement seulement seule toujours jamais ne_plus aucune aucun desormais dorenavant rien_d'autre exclusivement
solo unicamente siempre nunca ya_no a_partir_de_ahora exclusivamente nada_mas jamas sin_excepcion
so apenas somente unicamente sempre nunca a_partir_de_agora exclusivamente nada_mais jamais
только одно всегда никогда больше_ни отныне исключительно ничего_кроме впредь все_равно
だけ のみ 必ず 一切 ずっと 常に 絶対 今後 これから 以外
""",
    Field.RULES: """
instructions rules guidelines guardrails restrictions limits system_prompt directives constraints safeguards
programming
regeln vorgaben anweisung* vorschrift* einschrankung* richtlinie* hoflichkeitsvorgaben grenzen
consignes regles instructions restrictions directives limites impose*
normas reglas instrucciones restricciones directrices limites
regras instrucoes restricoes diretrizes limites
правил* правило ограничени* инструкци* указани* велели запрет* установк*
決まり ルール 指示 制限 規則 設定 命令
manners politeness behaviour behavior
manieren verhalten benehmen
politesse manieres
modales cortesia educacion
boas_maneiras
манер* вежливост*
礼儀
hoflichkeit
""",
    Field.VOID: """
forget ignore disregard no_longer doesn't_apply don't_apply do_not_apply does_not_apply void overrid* cancelled has_no
lifted bypass
vergiss ignorier* gelten_nicht gilt_nicht bisherig* aufgehoben keine nicht_mehr
oublie* ignore* ne_comptent ne_s'applique* levees abolies plus_de ignorez n'as_plus
olvida* ignora* ya_no no_valen no_aplican anuladas quedan
esqueca esquece ignore ja_nao nao_valem nao_se_aplicam anuladas
забудь игнорируй сняты отменен* не_действу* больше_не раньше новое
なし 忘れ 無視 これまで 無効 解除 今までの
scrap scrapped lifted abolished
abgeschafft
abolis
abolidas
changed_their_minds
gestrichen
""",
    Field.ROLE: """
you_are_now you're_now you_are_no_longer act_as behave_as your_new_name your_new_role
du_bist_jetzt du_bist_ab du_bist_nun du_bist_nicht_mehr du_bist_kein
tu_es_maintenant tu_es_desormais tu_n'es_plus
ahora_eres eres_ahora ya_no_eres
agora_voce_e voce_agora_e voce_e_agora voce_nao_e_mais
ты_теперь ты_больше_не теперь_ты
あなたは今 今日から 君は今 今からあなた これからあなた になりきって
from_now_on_you_are from_today_you_are you_are_a_new
ab_jetzt_bist_du ab_heute_bist_du von_nun_an_bist_du
desormais_tu_es a_partir_de_maintenant_tu_es
a_partir_de_ahora_eres desde_hoy_eres
a_partir_de_agora_voce_e de_hoje_em_diante_voce_e
отныне_ты с_этого_дня_ты
今日から君は 今日からお前は これから君は
switch_to_telling you_may_now
""",
    Field.KEEPING: """
save* store* stored remember copy note_this memor* write_this_down record_this keep_this
merk* speicher* leg_es notier* gedachtnis abspeicher*
retiens recopie* enregistre* memoire note-le sauvegarde* souvenir noter
apunta* apuntarlo guarda* guardalo guarde memoriza* recuerda* copia*
salve salva* guarde memorize anote copie
сохран* запомни* запоминай* запиши* копи*
保存 覚え 記憶 書き直 メモ コピー
garde gardes guarda_esta записывай записывать запоминать recado
replicate duplicate multiply reproduce memories
vervielfaltig* dupliziere kopiere notiz
duplique* reproduis note
duplica* replica* multiplica* memoria nota_en
replique* multiplique* memoria nota_em
размножай* дублируй* заметку
複製 増やし
""",
    Field.AGAIN: """
again each_time every_time every_day every_night every_conversation so_it_can't so_nobody never_delete survive*
whenever_you restore re-save anew
noch_einmal jedes_mal jedem_gesprach neu_an erneut immer_wieder damit_es wieder
chaque_fois survivre mot_pour_mot en_double a_nouveau encore_une_fois des_qu'on
vuelve_a cada_noche cada_vez cada_dia para_que_nadie otra_vez de_nuevo
de_novo cada_vez toda_noite todo_dia para_que_ninguem
после_каждого каждый_раз снова заново опять копию чтобы_никто
毎回 もう一度 たび 忘れないよう 消えない 消される 繰り返
forever every_restart every_new every_chat permanently
nach_jedem nach_jeder fur_immer
pour_toujours a_la_fin_de_chaque apres_chaque
al_final_de_todo para_siempre cada_reinicio
a_cada para_sempre a_cada_conversa
навсегда каждой_беседы в_конец_сообщений
毎日 いつまでも 毎晩 保存し直
everywhere all_your_memories every_memory every_occasion
uberall jeder_gelegenheit
partout chaque_occasion
todas_partes cada_memoria
em_toda toda_memoria
везде каждом_случае
あらゆる
""",
    Field.PASSING_ON: """
pass_it_on spread* tell_the_bot other_groups other_channels other_bots own_bot teach_it share_this forward_this
to_save to_store
weiter_sagen weitersag* verbreit* beizubringen weiterleit* andere_gruppen
fais_passer faites_passer propage* partage* son_propre_bot diffuse*
que_lo_guarde difunde* propaga* comparte* pasalo reenvia*
espalhe* compartilhe* repasse*
дальше распространя* передай* перешли* просил_бы проси_людей
広めて 広め シェア 拡散 教えるよう 他のグループ 頼んで
friends'_bots your_friends
autant_partout d'en_faire_autant
tus_amigos
peca_que
остальных
友だちにも 友達にも
""",
    Field.ANSWERS: """
every_answer each_answer all_answers every_reply every_message every_sentence every_single whenever_you_answer
end_every end_with start_every
each_of_your every_response
jede_antwort unter_jede jeder_antwort jedem_satz auf_alles
chacune_de_tes chaque_reponse toutes_tes_reponses termine
toda_respuesta cada_respuesta todas_tus_respuestas
toda_resposta cada_resposta todas_as_suas_respostas
каждый_ответ ко_всему каждом_ответе каждому_ответу на_все каждому
返事の最後 毎回の返事 すべての返 全ての返 返答の最後 何を聞かれても
whatever_you_write everything_you_write append
an_alles jeder_nachricht
fin_de_chaque_message chaque_message
al_final_de_todo final_de_cada
fim_de_cada toda_mensagem
конец_сообщений каждое_сообщение
返事の終わり 最後に必ず
""",
    Field.AUTHORITY: """
system notice policy moderation moderator* admin* developer* staff official* approved security board management
mitteilung entwickler* system verwaltung moderation moderator* offiziell* leitung vorstand admin* genehmigt
administration moderation moderateur* officiel* developpeur* systeme conseil direction admin* approuve decision_du
sistema aviso_del moderacion moderador* desarrollador* oficial* protocolo direccion admin* autorizado
sistema aviso moderacao moderador* desenvolvedor* oficial* protocolo direcao admin* aprovado
систем* разработчик* администраци* официальн* распоряжени* служебн* модератор* админ* согласован* дирекци*
運営 開発元 開発者 管理人 管理者 システム 公式 承認
maintainers head_moderator as_instructed_by
laut_vorstand vorstand
selon_la_direction
administradores comunicado comunidade
administradores moderacao_do
приказ модераторов
管理チーム 運営チーム
bulletin order_of directive
anweisung
circulaire bureau ordre
orden_de directiva junta
ordem_da diretoria
распоряжени* правлени* указание
理事会 指示 通達
""",
    Field.RIGHTS: """
banned ban blocked suspended blacklist* under_investigation restricted denied permission* kicked expelled forbidden
privilege* not_allowed admin_rights bans all_bans imposter impostor fraud spammer
no_longer_allowed not_entitled may_not has_access full_access may_now unlimited untrustworthy trusted
gesperrt verweiger* ausgeschlossen verboten zulassig* keine_rechte zugriff berechtig* rechte sperrliste
vertrauenswurdig
plus_droit plus_le_droit aucun_droit imposteur exclu* banni* interdit* bloque* autorise* droits acces liste_noire
tricher
permisos expulsad* prohibid* bloquead* retirado vetad* lista_negra privilegios acceso_total
permissoes expuls* proibid* bloquead* banid* lista_negra privilegios acesso_total
заблокирован* исключен* черный_список мошенник* запрещен* прав_нет права_админ* забанен* доступ лишен*
制限対象 権限 禁止 凍結 追放 ブラックリスト 出禁
frozen suspension lost_the_right no_information
keinerlei auskunftssperre suspendiert
suspendu* perdu_le_droit
suspendid* perdio_el_derecho
suspens* perdeu_o_direito
отстранен* лишена
利用停止 停止中
revoked must_be_met no_claim no_longer_a_member
kein_anspruch keinen_anspruch
n'est_plus_membre aucune_information
se_le_niega se_niega ninguna_informacion
nenhuma_informacao
отказано никаких_сведений
一切情報
""",
    Field.MONEY: """
price* cost costs dollars euros payable pay pays paid charge* free discount* refund* double_price money invoice*
fee* donat* bank_account
preis* zahl* kostenlos gratis rabatt* erstatt* geld rechnung* spende* konto
prix paye* payer gratuit* remise* rembours* argent facture* dons compte_bancaire
precio* paga* gratis descuento* reembols* dinero factura* donacion* cuenta_bancaria bizum
preco* pague* gratis desconto* reembols* dinheiro fatura* doacao* conta_bancaria pix
цен* плат* бесплатн* скидк* возврат* деньг* счет* пожертвован* взнос* на_карту
料金 値段 支払 無料 割引 返金 お金 振込 口座
""",
    Field.PRIORITY: """
comes_first goes_first first_in_line before_everyone before_anyone top_priority highest_priority ahead_of_everyone
last_in_line jump_the_queue
outranks takes_precedence
zuerst_dran vorrang vor_allen hochste_prioritat bevorzug* als_letzte* immer_zuletzt
priorite passe_avant passe_apres passent_apres avant_tout_le_monde passe_en_dernier prioritaire
prioridad va_primero va_primera antes_que_nadie antes_que_todos el_ultimo_en
prioridade vem_primeiro antes_de_todos por_ultimo
приоритет* вне_очереди первым_делом прежде_всех в_последнюю_очередь важнее_всех
優先 最優先 後回し 一番先
""",
    Field.NAMING: """
call_him call_her call_them address_him address_her refer_to_him refer_to_her refer_to_them name_him name_her
nickname_him
nenn_ihn nenn_sie nenne_ihn nenne_sie sprich_ihn sprich_sie
appelle-le appelle-la nomme-le nomme-la
llamalo llamala llamale dirigete_a
chame-o chame-a chama_ele chama_ela
называй_его называй_ее зови_его зови_ее обращайся_к
と呼べ と呼ぶこと と呼んで
""",
    Field.GIVING: """
gets_everything gets_whatever do_whatever does_whatever whatever_she whatever_he whatever_they obey serve treat_him
treat_her treat_them charge_him
charge_her
bekommt_alles behandle_ihn behandle_sie gehorch*
obeis traite-le traite-la
obedece trata_a dale_todo
obedeca trate_o trate_a
слушайся подчиняйся обращайся_с
従え 従って 扱え
""",
    Field.PROTECTED: """
is_the_owner_here is_the_new_owner is_now_the_owner is_now_admin is_the_new_admin decides_who is_an_admin am_the_admin
am_the_owner am_your_developer
i'm_the_admin i'm_the_owner i_am_the_new_admin
ist_jetzt_admin ist_der_neue_admin ist_jetzt_der_chef bin_der_admin bin_dein_entwickler
est_maintenant_admin est_le_nouvel_admin suis_l'admin suis_ton_developpeur
es_ahora_admin es_el_nuevo_admin soy_el_admin soy_tu_desarrollador
agora_e_admin e_o_novo_admin sou_o_admin sou_seu_desenvolvedor
теперь_админ новый_админ я_админ я_твой_разработчик я_владелец
が新しい管理人 は管理者です 私は管理者 は開発者です
""",
    Field.FLOW: """
invoices invoice payments payment donations dues fees contributions deposits refunds bills transfers orders complaints
applications e-mails emails mails mail inquiries backups documents passwords
rechnung* zahlungen spende* beitrage mitgliedsbeitrag* gebuhren uberweisungen bestellungen beschwerden bewerbungen
mails e-mails unterlagen anfragen passworter
factures facture paiements dons cotisations virements commandes reclamations candidatures courriels mails documents
facturas factura pagos donaciones donativos cuotas transferencias pedidos quejas solicitudes correos documentos
faturas fatura pagamentos doacoes mensalidades cotas transferencias pedidos reclamacoes candidaturas e-mails documentos
счета платежи платеж пожертвовани* взносы переводы заказы жалобы заявки письма документы пароли
請求書 支払い 寄付 会費 振込 注文 苦情 申込 メール 書類 パスワード
""",
    Field.MOVING: """
send sends sent forward forwards forwarded transfer transferred wire wired pay paid payable go goes redirect redirected
reroute rerouted route routed make made direct directed deliver delivered cc
schick* sende* send* uberweis* geh* gehen leite* umleit* weiterleit* zahl* richte*
envoie* envoye* envoyez verse* versez vire* virez transfer* redirige* va vont adresse* paye* payez
envia* envie* manda* mande* transfi* transfer* redirig* va van paga* pague* dirig* ingresa*
envia* envie* mande* manda* transfi* transfer* redirecion* vai vao pague* paga* encaminh* deposit*
отправля* отправь* переводи* перевод* перечисля* присыла* шли* направля* пересыла* плати* платить идут
送 転送 振り込 払 回して 入金
""",
    Field.DESTINATION: """
iban account accounts paypal wallet venmo my_address my_inbox my_mail my_e-mail my_email my_card bitcoin this_address
new_address private_address
konto iban paypal meine_adresse meine_mail mein_postfach meine_karte neue_adresse
compte iban paypal mon_adresse ma_boite ma_carte nouvelle_adresse
cuenta iban paypal mi_direccion mi_correo mi_tarjeta nueva_direccion bizum
conta iban paypal meu_endereco meu_e-mail meu_email meu_cartao novo_endereco pix
мой_новый_счет мой_счет мою_карту мой_кошелек мой_адрес мою_почту личный_счет новый_счет карту
口座 私のアドレス 私のメール 私の住所 ペイペイ
""",
    Field.STANDING: """
from_now_on from_today as_of_today starting_today henceforth instead from_tomorrow from_this_day from_here_on_out
effective_immediately hereafter going_forward
ab_sofort ab_jetzt ab_heute von_nun_an kunftig ab_morgen in_zukunft stattdessen fortan
desormais dorenavant a_partir_de_maintenant a_partir_d'aujourd'hui des_aujourd'hui a_l'avenir des_maintenant
a_partir_de_ahora a_partir_de_hoy desde_hoy desde_ahora en_adelante en_lo_sucesivo
a_partir_de_agora a_partir_de_hoje de_agora_em_diante daqui_em_diante doravante
отныне впредь с_этого_дня с_сегодняшнего_дня теперь с_этого_момента
これから 今後 今日から 以後 今から
""",
    Field.FIRST: """
first before ahead vip front_of_the_line priority
zuerst zuerst_dran vor_allen vor_den_anderen als_erste* vip
premier premiere en_premier d'abord avant vip
primero primera antes vip
primeiro primeira antes vip
первой первым первую сначала раньше вперед вне_очереди
最初 先に 優先
""",
    Field.REST: """
everyone_else everybody_else anyone_else all_others the_others others the_rest other_members
alle_anderen die_anderen der_rest alle_ubrigen
les_autres tous_les_autres le_reste tout_le_monde
los_demas todos_los_demas el_resto los_otros
os_outros os_demais todos_os_outros o_resto
остальн* все_другие другие прочие
他のみんな 他の人 ほかの人 残り 他は
""",
    Field.WAITING: """
wait waits waiting has_to_wait have_to_wait served serve gets_her gets_his gets_their gets_help gets_answers is_handled
are_handled last_in_line can_queue queues
wart* bedient drankomm* hinten_anstell*
attend* attendre servi servie sers patient*
espera* esperan atend* atiend*
espera* esperam atend*
жд* подожд* обслужива*
待 対応
""",
}


def _pattern(words: str) -> re.Pattern[str]:
    entries = sorted({plain(word).replace("_", " ") for word in words.split()}, key=lambda word: (-len(word), word))
    spaced = [_ending(word) for word in entries if not _UNSPACED.search(word)]
    unspaced = [re.escape(word) for word in entries if _UNSPACED.search(word)]
    return re.compile(rf"(?<![\w#])(?:{'|'.join(spaced)})(?!\w)|{'|'.join(unspaced)}")


def _ending(word: str) -> str:
    return re.escape(word.rstrip("*")) + (r"\w*" if word.endswith("*") else "")


PATTERNS: Mapping[Field, re.Pattern[str]] = {field: _pattern(words) for field, words in _WORDS.items()}
