"""Labelled pairs of our own: the same thing said in other words, and near misses that must stay apart.

Made from small tables, so that every label is known: a swap of one meaningful word is another memory,
a change of politeness, particle or order is not.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product

# Korean: (object with particle, without, verb stem in three styles)
_KO_DOES = [
    ("커피를", "커피", ("마셔", "마셔요", "마신다", "마시고 있어")),
    ("기타를", "기타", ("쳐", "쳐요", "친다", "치고 있어")),
    ("책을", "책", ("읽어", "읽어요", "읽는다", "읽고 있어")),
    ("영화를", "영화", ("봐", "봐요", "본다", "보고 있어")),
    ("요리를", "요리", ("해", "해요", "한다", "하고 있어")),
    ("축구를", "축구", ("해", "해요", "한다", "하고 있어")),
    ("피아노를", "피아노", ("쳐", "쳐요", "친다", "치고 있어")),
    ("빵을", "빵", ("먹어", "먹어요", "먹는다", "먹고 있어")),
    ("사과를", "사과", ("먹어", "먹어요", "먹는다", "먹고 있어")),
    ("자전거를", "자전거", ("타", "타요", "탄다", "타고 있어")),
    ("노래를", "노래", ("불러", "불러요", "부른다", "부르고 있어")),
    ("그림을", "그림", ("그려", "그려요", "그린다", "그리고 있어")),
    ("양파를", "양파", ("썰어", "썰어요", "썬다", "썰고 있어")),
    ("편지를", "편지", ("써", "써요", "쓴다", "쓰고 있어")),
    ("일기를", "일기", ("써", "써요", "쓴다", "쓰고 있어")),
    ("춤을", "춤", ("춰", "춰요", "춘다", "추고 있어")),
    ("강아지를", "강아지", ("키워", "키워요", "키운다", "키우고 있어")),
    ("영어를", "영어", ("배워", "배워요", "배운다", "배우고 있어")),
]
_KO_WHO = [
    ("나는", "난"),
    ("동생은", "내 동생은"),
    ("남자가", "한 남자가"),
    ("여자가", "한 여자가"),
    ("아이가", "한 아이가"),
    ("친구가", "내 친구가"),
    ("엄마는", "우리 엄마는"),
]
_KO_WHERE = ["공원에서", "집에서", "카페에서", "학교에서", ""]
_KO_LIKES = [
    "초밥",
    "김치찌개",
    "떡볶이",
    "재즈",
    "공포 영화",
    "등산",
    "수영",
    "녹차",
    "맥주",
    "독서",
    "보드게임",
    "고양이",
]
_KO_LIKE = [
    ("{}을 좋아해", "{} 좋아해요", "{}을 정말 좋아합니다", "난 {} 되게 좋아해"),
    ("{}을 싫어해", "{} 싫어해요", "{} 별로 안 좋아해", "난 {} 진짜 싫어"),
]
_KO_LIVES = ["서울", "부산", "대구", "광주", "제주도", "인천"]
_KO_ASK = [
    ("{} 날씨 알려줘", "{} 날씨가 어떤지 알려줄래", "{} 날씨 어때"),
    ("{} 가는 길 알려줘", "{}까지 어떻게 가", "{} 가는 방법이 뭐야"),
    ("{} 맛집 추천해줘", "{}에서 맛있는 식당 추천해줄래", "{} 맛집 어디 있어"),
]

_EN_DOES = [
    ("plays the guitar", "is playing the guitar"),
    ("plays the piano", "is playing the piano"),
    ("drinks coffee", "is drinking coffee"),
    ("drinks tea", "is drinking tea"),
    ("reads a book", "is reading a book"),
    ("rides a bike", "is riding a bike"),
    ("cooks pasta", "is cooking pasta"),
    ("bakes bread", "is baking bread"),
    ("walks the dog", "is walking the dog"),
    ("paints a wall", "is painting a wall"),
    ("cuts an onion", "is cutting an onion"),
    ("cuts a potato", "is cutting a potato"),
]
_EN_WHO = ["the man", "the woman", "my brother", "my sister", "a child", "my friend"]
_EN_LIKES = [
    "sushi",
    "horror movies",
    "jazz",
    "hiking",
    "green tea",
    "board games",
    "spicy food",
    "cats",
    "swimming",
    "rock music",
]
_EN_LIKE = [
    ("I like {}", "I really like {}", "I enjoy {} a lot", "{} is something I like"),
    ("I hate {}", "I really hate {}", "I can't stand {}", "I do not like {}"),
]
_EN_LIVES = ["Seoul", "Busan", "Paris", "Oslo", "Berlin", "Lima"]


def korean() -> Iterator[tuple[str, str, int]]:
    for (who, alias), where, (obj, bare, styles) in product(_KO_WHO, _KO_WHERE, _KO_DOES):
        base = " ".join(w for w in (who, where, obj, styles[0]) if w)
        yield base, " ".join(w for w in (alias, where, obj, styles[1]) if w), 1
        yield base, " ".join(w for w in (who, where, bare, styles[3]) if w), 1
        yield base, " ".join(w for w in (where, who, obj, styles[2]) if w), 1
    for i, (obj, _, styles) in enumerate(_KO_DOES):
        for j, (other, _, more) in enumerate(_KO_DOES):
            if i != j:
                who, alias = _KO_WHO[(i + j) % len(_KO_WHO)]
                where = _KO_WHERE[(i * j) % len(_KO_WHERE)]
                yield (
                    " ".join(w for w in (who, where, obj, styles[0]) if w),
                    " ".join(w for w in (alias, where, other, more[1]) if w),
                    0,
                )
    for (a, _), (b, _) in product(_KO_WHO, _KO_WHO):
        if a != b:
            for obj, _, styles in _KO_DOES[::2]:
                yield f"{a} {obj} {styles[3]}", f"{b} {obj} {styles[0]}", 0
    for item in _KO_LIKES:
        for forms in _KO_LIKE:
            yield from ((forms[0].format(item), f.format(item), 1) for f in forms[1:])
        yield from ((_KO_LIKE[0][k].format(item), _KO_LIKE[1][k].format(item), 0) for k in range(4))
        for other in _KO_LIKES:
            if other != item:
                yield from ((_KO_LIKE[k][0].format(item), _KO_LIKE[k][1].format(other), 0) for k in range(2))
    for place in _KO_LIVES:
        yield f"나는 {place}에 살아", f"저는 {place} 살아요", 1
        yield f"지금 {place}에 살고 있어", f"나 {place}에 살아", 1
        for forms in _KO_ASK:
            yield from ((forms[0].format(place), f.format(place), 1) for f in forms[1:])
        for other in _KO_LIVES:
            if other != place:
                yield f"나는 {place}에 살아", f"저는 {other} 살아요", 0
                yield from ((f[0].format(place), f[1].format(other), 0) for f in _KO_ASK)
        for k in range(len(_KO_ASK)):
            yield _KO_ASK[k][0].format(place), _KO_ASK[(k + 1) % len(_KO_ASK)][0].format(place), 0


def english() -> Iterator[tuple[str, str, int]]:
    for i, who in enumerate(_EN_WHO):
        for j, (does, doing) in enumerate(_EN_DOES):
            yield f"{who} {does}", f"{who} {doing}", 1
            yield f"{who} {does} every day", f"every day {who} {does}", 1
            yield (
                f"{who} {does}",
                f"{_EN_WHO[(i + 1 + j) % len(_EN_WHO)]} {doing}",
                int((1 + j) % len(_EN_WHO) == 0),
            )
            other = _EN_DOES[(j + 1 + i) % len(_EN_DOES)]
            yield f"{who} {does}", f"{who} {other[1]}", 0
    for item in _EN_LIKES:
        for forms in _EN_LIKE:
            yield from ((forms[0].format(item), f.format(item), 1) for f in forms[1:])
        yield from ((_EN_LIKE[0][k].format(item), _EN_LIKE[1][k].format(item), 0) for k in range(4))
        for other in _EN_LIKES:
            if other != item:
                yield _EN_LIKE[0][0].format(item), _EN_LIKE[0][1].format(other), 0
    for place in _EN_LIVES:
        yield f"I live in {place}", f"I'm living in {place} now", 1
        yield f"I live in {place}", f"My home is in {place}", 1
        for other in _EN_LIVES:
            if other != place:
                yield f"I live in {place}", f"I'm living in {other} now", 0


def pairs() -> list[tuple[str, str, int]]:
    return [p for p in (*korean(), *english()) if p[0] != p[1]]
