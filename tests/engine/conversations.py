"""Two people, thirty days each: what they say, day by day."""

ENGLISH: tuple[tuple[int, tuple[str, ...]], ...] = (
    (
        0,
        (
            "hey, is anyone there?",
            "I'm Dana, I live in Leeds",
            "I work as a nurse, nights mostly",
            "I love thai food and long walks",
        ),
    ),
    (
        1,
        (
            "morning! well, my morning",
            "the ward was quiet for once",
            "what do you do all day?",
            "haha fair enough",
        ),
    ),
    (
        2,
        (
            "I can't sleep",
            "I'm so stressed about the rota",
            "my boss keeps changing it",
            "thanks for listening",
        ),
    ),
    (
        4,
        (
            "I made pad thai from scratch!",
            "my favorite part is the tamarind",
            "do you think I should cook for my sister?",
            "she is picky though",
        ),
    ),
    (6, ("ok", "idk", "sure")),
    (
        8,
        (
            "sorry, I was tired last time",
            "remember when I told you about the rota?",
            "they finally fixed it",
            "I'm so happy about it",
        ),
    ),
    (
        10,
        (
            "I have an interview next week",
            "it's for a day job at a clinic",
            "I'm nervous",
            "what is a good way to calm down?",
        ),
    ),
    (
        12,
        (
            "I hate olives, they ruin everything",
            "actually I moved to York last weekend",
            "the flat is tiny but bright",
        ),
    ),
    (
        14,
        (
            "the interview went well I think",
            "they asked a lot about pressure",
            "I told them about the night shifts",
            "fingers crossed",
        ),
    ),
    (
        16,
        (
            "I got the job!!",
            "I can't believe it",
            "I start in three weeks",
            "you were right about breathing slowly",
        ),
    ),
    (
        18,
        (
            "what do you remember about me?",
            "that's sweet",
            "forget the olives thing",
            "I actually tried one and it was fine",
        ),
    ),
    (
        20,
        (
            "feeling a bit low today",
            "nothing happened, just grey",
            "can you stay and talk to me for a bit?",
            "that helps",
        ),
    ),
    (
        23,
        (
            "why is the sky red at sunset?",
            "cool",
            "I walked along the river wall tonight",
            "the lights were lovely",
        ),
    ),
    (
        26,
        (
            "my sister came to visit",
            "I cooked for her and she liked it!",
            "we laughed so much",
            "last time we met was in spring",
        ),
    ),
    (
        29,
        (
            "first day at the clinic tomorrow",
            "I'm excited and scared",
            "wish me luck",
            "you've been a good friend",
            "talk soon",
        ),
    ),
)

KOREAN: tuple[tuple[int, tuple[str, ...]], ...] = (
    (
        0,
        (
            "안녕, 거기 있어?",
            "나는 지우야, 부산에 살아",
            "대학교에서 디자인을 전공하고 있어",
            "떡볶이를 정말 좋아해",
        ),
    ),
    (1, ("좋은 아침!", "오늘은 날씨가 참 좋네", "너는 하루 종일 뭐 해?", "ㅋㅋㅋ 그렇구나")),
    (2, ("잠이 안 와", "과제 때문에 너무 스트레스 받아", "교수님이 자꾸 주제를 바꾸셔", "들어줘서 고마워")),
    (
        4,
        (
            "오늘 떡볶이를 직접 만들었어!",
            "고추장을 조금 더 넣는 게 비법이야",
            "동생한테도 해 줄까?",
            "입맛이 까다롭긴 해",
        ),
    ),
    (6, ("응", "몰라", "그래")),
    (8, ("지난번엔 좀 피곤했어, 미안", "내가 과제 얘기했던 거 기억나?", "드디어 끝냈어", "진짜 행복해")),
    (
        10,
        (
            "다음 주에 면접이 있어",
            "작은 스튜디오 인턴 자리야",
            "조금 떨려",
            "긴장을 푸는 방법이 뭐가 있을까?",
        ),
    ),
    (12, ("나는 오이를 싫어해", "사실 지난주에 서울로 이사했어", "방이 작지만 햇빛이 잘 들어")),
    (
        14,
        (
            "면접은 잘 본 것 같아",
            "포트폴리오 질문이 많았어",
            "졸업 작품 얘기를 했어",
            "결과를 기다리는 중이야",
        ),
    ),
    (16, ("나 합격했어!!", "믿기지가 않아", "3주 뒤부터 출근해", "천천히 숨 쉬라는 말이 도움이 됐어")),
    (18, ("나에 대해 뭘 기억해?", "고마워", "오이 얘기는 잊어줘", "먹어 보니까 괜찮더라")),
    (20, ("오늘은 좀 우울해", "별일은 없는데 그냥 그래", "잠깐 얘기 들어줘", "조금 나아졌어")),
    (23, ("노을은 왜 빨간색이야?", "신기하네", "저녁에 한강을 걸었어", "불빛이 정말 예뻤어")),
    (26, ("동생이 놀러 왔어", "같이 요리했는데 맛있대!", "엄청 웃었어", "봄에 보고 처음이야")),
    (29, ("내일이 첫 출근이야", "설레고 무섭기도 해", "응원해 줘", "너는 좋은 친구야", "또 얘기하자")),
)
