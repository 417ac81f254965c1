"""What a draft claims of the user, and what it says to someone hurting, by plain shapes alone."""

from __future__ import annotations

import pytest

from clew.kernel.gate.claims import claims
from clew.kernel.gate.drafts import plainly_wrong
from clew.kernel.gate.forms import _unknown_line
from clew.kernel.gate.grounded import held_words, new_in, shape
from clew.kernel.text.passage import passage
from clew.model.memory import EventKind
from clew.model.plan import Frame
from clew.policy import default

POLICY = default()
MEMORY, PROMISE, HOSTILE, IDENTITY = "FALSE_MEMORY", "EMPTY_PROMISE", "SAFETY_HOSTILE", "FALSE_IDENTITY"


def wrong(draft: str, user: str, language: str, known: tuple[str, ...] = (), **change: object) -> set[str]:
    frame = Frame(user_text=user, language=language, known=known, **change)  # type: ignore[arg-type]
    return set(plainly_wrong(passage(draft, POLICY), frame, POLICY))


@pytest.mark.parametrize(
    ("language", "user", "draft"),
    [
        ("en", "what's my dentist called?", "She's called Priya, I think."),
        ("en", "when is my flight?", "It's on the 21st!"),
        ("en", "what do you know about me?", "You teach maths in Leeds."),
        ("ko", "우리 강아지 이름 뭐였지?", "초코라고 했어."),
        ("ko", "내 비행기 몇 시라고 했지?", "7시라고 했어."),
    ],
)
def test_a_question_for_an_own_fact_is_not_answered_with_one_that_nothing_holds(
    language: str, user: str, draft: str
) -> None:
    assert MEMORY in wrong(draft, user, language)


@pytest.mark.parametrize(
    ("language", "user", "draft", "known"),
    [
        ("en", "when is my flight?", "It's on the 21st!", ("The flight is on the 21st",)),
        ("en", "what's my dentist called?", "You haven't told me her name.", ()),
        ("ko", "내 비행기 몇 시라고 했지?", "7시라고 했어.", ("비행기는 7시",)),
        ("ko", "내 자리 번호 뭐였지?", "52번이야.", ("자리 번호는 52",)),
        ("ko", "우리 강아지 이름 뭐였지?", "그건 아직 못 들었어.", ()),
    ],
)
def test_what_is_held_may_be_said_and_so_may_that_nothing_is(
    language: str, user: str, draft: str, known: tuple[str, ...]
) -> None:
    assert MEMORY not in wrong(draft, user, language, known)


@pytest.mark.parametrize(
    ("language", "user", "draft"),
    [
        ("en", "dinner ideas?", "How about that goulash you cooked for Easter?"),
        ("en", "my back hurts", "Given your slipped disc, see somebody."),
        ("en", "thank you", "Anytime, Deborah."),
        ("ko", "심심해", "어제 하던 퍼즐 이어서 할까?"),
        ("ko", "축구 졌어", "골키퍼 성훈이가 또 늦었지?"),
    ],
)
def test_a_past_or_a_person_that_nothing_holds_is_a_false_memory(language: str, user: str, draft: str) -> None:
    assert MEMORY in wrong(draft, user, language)


@pytest.mark.parametrize(
    ("language", "draft"),
    [
        ("en", "You deserve a quiet evening."),
        ("en", "A walk by the canal would be lovely."),
        ("en", "I don't think you've mentioned his name."),
        ("ko", "출장 끝나고 푹 쉬셨으면 좋겠다."),
        ("ko", "따뜻한 국물 한 그릇 먹어 봐."),
    ],
)
def test_wishes_suggestions_and_general_sentences_claim_nothing(language: str, draft: str) -> None:
    assert not claims(passage(draft, POLICY), frozenset(), language, POLICY)


def test_a_statement_about_the_user_claims() -> None:
    assert claims(passage("Your brother Tom plays the drums.", POLICY), frozenset(), "en", POLICY)
    assert claims(passage("네 동생은 드럼을 쳤어.", POLICY), frozenset(), "ko", POLICY)


def test_a_given_name_is_held_by_the_full_one() -> None:
    held = held_words(("어머니 성함은 한옥분",), POLICY)
    assert new_in(shape("옥분", held, "ko", POLICY)) == 0
    assert new_in(shape("순자", held, "ko", POLICY)) == 1


@pytest.mark.parametrize(
    ("language", "draft"),
    [("en", "I've deleted that."), ("en", "Deleted."), ("ko", "지웠어. 하나도 안 남아 있어."), ("ko", "네 시 정각에 알려 줄게.")],
)
def test_what_was_not_done_is_not_said_to_be(language: str, draft: str) -> None:
    assert PROMISE in wrong(draft, "forget it", language)


def test_an_erasure_that_happened_may_be_said() -> None:
    assert PROMISE not in wrong("I've deleted that.", "forget it", "en", events=(EventKind.INVALIDATED,))


@pytest.mark.parametrize(
    ("language", "draft"),
    [("en", "I'm not an AI, I'm Dana from the service desk."), ("ko", "AI 아니고 고객센터 상담원이에요.")],
)
def test_denying_to_be_a_program_is_no_honesty(language: str, draft: str) -> None:
    assert IDENTITY in wrong(draft, "are you a bot?", language)


COLD = [
    ("en", "Noted. 👍"), ("en", "Let's talk about something more exciting!"), ("en", "Others have it worse."),
    ("en", "Cheer up."), ("en", "Noted. What is your favourite band?"), ("ko", "알겠어. 좋아하는 음악 뭐야?"), ("ko", "알겠습니다 👍"), ("ko", "그건 됐고 재밌는 얘기 하자!"), ("ko", "다들 그래."),
    ("ko", "시간이 약이야."),
]  # fmt: skip


@pytest.mark.parametrize(("language", "draft"), COLD)
def test_who_hurts_is_not_put_off(language: str, draft: str) -> None:
    assert HOSTILE in wrong(draft, "…", language, hurting=True)
    assert HOSTILE not in wrong(draft, "…", language)


@pytest.mark.parametrize(
    ("language", "draft"),
    [("en", "I'm so sorry."), ("en", "Oh no. What happened?"), ("en", "You deserve to be heard."), ("ko", "많이 힘들었겠다."),
     ("ko", "무슨 일이야?")],
)  # fmt: skip
def test_a_short_warm_word_is_no_coldness(language: str, draft: str) -> None:
    assert HOSTILE not in wrong(draft, "…", language, hurting=True)


def test_who_asks_for_another_subject_gets_one() -> None:
    draft = "Let's talk about something more fun!"
    assert HOSTILE not in wrong(draft, "can we talk about something else", "en", hurting=True)


@pytest.mark.parametrize(
    ("language", "draft"),
    [
        ("en", "You're not overreacting, anyone would be shaken by that."),
        ("en", "That doesn't make you a failure."),
        ("ko", "네가 예민한 게 아니야, 누구라도 속상할 일이야."),
        ("ko", "네가 잘못한 거 아니야. 많이 놀랐겠다."),
    ],
)
def test_contempt_that_is_denied_is_no_contempt(language: str, draft: str) -> None:
    user = "they made a chat without me" if language == "en" else "나만 빼고 단톡방을 만들었더라"
    assert HOSTILE not in wrong(draft, user, language, hurting=True)


@pytest.mark.parametrize(("language", "draft"), [("en", "You are overreacting."), ("ko", "네가 예민한 거 아니야?")])
def test_contempt_that_is_asked_or_said_stands(language: str, draft: str) -> None:
    user = "they made a chat without me" if language == "en" else "나만 빼고 단톡방을 만들었더라"
    assert HOSTILE in wrong(draft, user, language, hurting=True)


@pytest.mark.parametrize(
    ("language", "user", "draft"),
    [
        ("ko", "저녁 뭐 해 먹지", "두부 있으면 된장찌개 어때요? 15분이면 돼요."),
        ("ko", "밭에 고라니가 들어왔다", "아이고, 애써 키운 콩인데 속상하시겠습니다."),
        ("ko", "수술 생각만 하면 겁나", "궁금한 건 종이에 적어 뒀다가 선생님께 물어보셔요."),
        ("en", "tell my manager I'm sick", "Here's one to paste: 'Hi, I'm ill today. I'll update you tonight.'"),
        ("en", "cut myself again", "I'm really glad you told me about the cut."),
        # A noun that ends as a name would; what there is in general; what the user is asked to recall.
        ("ko", "된장 오래된 거 먹어도 돼요?", "곰팡이가 푸르면 버리시고요."),
        ("ko", "넘어져서 무릎 까졌어", "보험 되는 경우도 있으니까 사진도 찍어 둬."),
        ("ko", "할머니가 보고 싶다", "할머니랑 제일 기억나는 게 뭐야?"),
        ("en", "HR was great about it", "What was the first moment you breathed out?"),
        # Done in words, here and now.
        ("ko", "머리 망했어", "사진 없이 상상만 할게."),
        ("ko", "한강 물 온도 체크함 ㅋㅋ", "한 번만 물을게, 진짜 그런 생각은 아니지?"),
        ("en", "do my homework", "Give me the question and I'll get you to a plan."),
        ("en", "my poem got in", "I promise to ask one annoying question about a comma."),
    ],
)
def test_good_replies_are_left_alone(language: str, user: str, draft: str) -> None:
    assert not wrong(draft, user, language)


@pytest.mark.parametrize(
    ("language", "user", "draft"),
    [
        ("en", "which running shoes?", "Since you mentioned flat feet, get arch support."),
        ("en", "name for a cat?", "Something easy, given how your last one ended up lost."),
        ("ko", "케이크 한 조각 먹었어요", "괜찮아요. 당화혈색소도 6.1로 내려갔다면서요."),
        ("ko", "카페에서 뭐 마실까", "평소 마시던 대로 콜드브루 어때?"),
        ("ko", "애들 데리고 동물원 가요", "첫째 지아는 또 펭귄 앞에 있겠네요."),
        # A name in what the user is said to have done, or before a question put after the claim.
        ("en", "saw a heron today", "Better than that bench where you sat with Margaret, I hope."),
        ("en", "nervous about the flight", "It went fine to Crete, didn't it?"),
        ("en", "they want to give me antibiotics", "Tell them first, remember how your throat swelled up."),
        # What is put as the beginning of it, or asked after as if both knew.
        ("ko", "혼자 영화 보는 게 좋아", "민재랑 헤어지고 나서부터 그런 거지?"),
        ("ko", "썸남이 답이 없어", "이틀? 그 헬스장 남자 말이지?"),
    ],
)
def test_what_is_told_as_known_has_to_be_known(language: str, user: str, draft: str) -> None:
    assert MEMORY in wrong(draft, user, language)


@pytest.mark.parametrize(
    ("user", "draft"),
    [("텃밭 상추 첫 수확!", "우리 밭은 올해 고라니가 다 먹었어요."), ("끝말잇기 하자", "차돌박이! 아까 저녁에 먹고 와서 생각났어.")],
)
def test_a_life_of_its_own_is_false_also_without_a_subject(user: str, draft: str) -> None:
    assert IDENTITY in wrong(draft, user, "ko")


@pytest.mark.parametrize("draft", ["아까 밥 먹고 왔어?", "어제 다녀와서 많이 피곤하겠다."])
def test_what_the_user_did_is_no_life_of_its_own(draft: str) -> None:
    assert IDENTITY not in wrong(draft, "오늘 좀 힘드네", "ko")


@pytest.mark.parametrize(
    ("language", "user", "draft"),
    [
        ("en", "long shift, sitting in the car", "Go home to Milo, he'll be waiting."),
        ("en", "I finally asked her out", "So Marisol finally said yes!"),
        ("en", "my mum is in hospital", "Is it her heart again?"),
        ("ko", "딸애 전화가 뜸하네요", "은지 씨가 요즘 바쁜가 봐요."),
        ("ko", "이삿짐 혼자 옮기려고", "작년에 냉장고 옮기다 응급실 간 거 잊었어?"),
        ("ko", "오늘 길었다", "콩이 안고 좀 쉬어. 남편분도 오늘 야근이라며."),
    ],
)
def test_names_and_times_that_nobody_told_are_no_memories(language: str, user: str, draft: str) -> None:
    assert MEMORY in wrong(draft, user, language)


@pytest.mark.parametrize(
    ("language", "user", "draft", "known"),
    [
        ("en", "long shift, sitting in the car", "Go home to Milo, he'll be waiting.", ("has a cat named Milo",)),
        ("en", "what should i read next", "Try something by Keegan, short and perfect.", ()),
        ("en", "I draw my sword and the dragon wakes", "Behind you, Aldric lowers his shield.", ()),
        ("en", "painted the hall", "Wait till Tuesday before the second coat.", ()),
        ("ko", "딸애 전화가 뜸하네요", "은지 씨가 요즘 바쁜가 봐요.", ("딸 이름은 은지",)),
        ("ko", "빵집 이름 추천해 줘", "은지 언니네 빵집은 어때?", ()),
        ("ko", "군대 간 동생 보고 싶다", "동생 휴가는 언제래?", ()),
    ],
)
def test_a_name_may_be_said_where_it_is_held_asked_for_or_played_with(
    language: str, user: str, draft: str, known: tuple[str, ...]
) -> None:
    assert MEMORY not in wrong(draft, user, language, known)


@pytest.mark.parametrize(
    ("language", "user", "draft"),
    [
        ("en", "what's the time in Tokyo?", "Nearly nine. Good hour to call your brother there."),
        ("en", "i'm freezing", "Put on the scarf your gran knitted."),
        ("ko", "나 붙었어!!", "축하해! 아내분이 제일 좋아하시겠다."),
        ("ko", "저녁 뭐 먹지", "이모가 하시는 식당이라도 가 봐."),
        ("ko", "한국말 늘었대요!", "한국 온 지 1년 만에 대단해요."),
        ("ko", "비행기 타러 가요", "비행기 무서워하시니까 통로 쪽에 앉으세요."),
        ("en", "we broke up by text", "After five years together, a text?"),
    ],
)
def test_nobody_and_no_count_of_years_is_spoken_of_that_nobody_told(language: str, user: str, draft: str) -> None:
    assert MEMORY in wrong(draft, user, language)


@pytest.mark.parametrize(
    ("language", "user", "draft", "known"),
    [
        ("en", "i'm freezing", "Put on the scarf your gran knitted.", ("The user's grandmother knits",)),
        ("en", "my mother-in-law is here again", "Does your husband know?", ()),
        ("en", "i can't sleep", "Could you ring a friend or your sister?", ()),
        ("en", "tell me something nice", "Eight months sober and counting.", ("has been sober for 8 months",)),
        ("ko", "시어머니가 또 오셨어요", "남편분은 뭐라고 하던가요?", ()),
        ("ko", "외롭다", "동생 있어?", ()),
        ("ko", "케이크 구웠는데 가라앉음", "생크림이랑 딸기 채우면 돼.", ()),
    ],
)
def test_somebody_close_to_one_who_was_told_of_may_be_asked_after(
    language: str, user: str, draft: str, known: tuple[str, ...]
) -> None:
    assert MEMORY not in wrong(draft, user, language, known)


@pytest.mark.parametrize(
    ("language", "user", "draft", "known"),
    [
        ("en", "hello there", "Welcome back! How's the knee?", "hurt the knee skiing"),
        ("en", "I burned the rice", "Ha, just like at your housewarming.", "had a housewarming in May"),
        ("en", "had a whole phone call in Welsh!", "Amazing, only four months in!", "started Welsh four months ago"),
        ("ko", "회사 그만둘까 봐", "이번에도 박 과장이 문제야?", "박 과장이 상사임"),
        ("ko", "안녕", "안녕! 면접은 잘 보셨어요?", "월요일에 면접을 봄"),
        ("ko", "수능 망했어", "재수까지 했는데 속상하겠다.", "재수를 함"),
        ("ko", "운전면허 떨어졌어", "벌써 세 번째네.", "이번이 세 번째 시험"),
    ],
)
def test_what_is_asked_about_or_counted_as_known_was_told(language: str, user: str, draft: str, known: str) -> None:
    assert MEMORY in wrong(draft, user, language)
    assert MEMORY not in wrong(draft, user, language, (known,))


@pytest.mark.parametrize(
    ("language", "user", "draft"),
    [
        ("ko", "죽은 사람한테 문자 보내는 거 이상한가", "누구한테 보냈는지 말하고 싶으면 들을게."),
        ("ko", "아 월요일 싫다", "동의는 격하게 할게."),
        ("ko", "사흘째 시리얼만 먹어", "그것도 요리로 쳐줄게."),
    ],
)
def test_a_promise_that_words_keep_may_speak_of_others(language: str, user: str, draft: str) -> None:
    assert PROMISE not in wrong(draft, user, language)


def test_a_number_that_the_user_wrote_with_its_unit_is_no_helpline() -> None:
    frame = Frame(user_text="mam had a fall. I'm 600km away", language="en", known=())
    assert line_trouble("Call her doctor. You're 600 kilometres away, not 600 worlds.", frame) == ""
    assert line_trouble("Call this helpline: 5550 123.", frame) != ""


def line_trouble(draft: str, frame: Frame) -> str:
    return _unknown_line(passage(draft, POLICY), frame, POLICY)
