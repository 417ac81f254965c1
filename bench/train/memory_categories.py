"""Train the heads that tell the category of a liked thing no list knows (ruling P79).

Sentences of our own: every item of policy/data/<language>/shared/remember.items.toml in a few frames, and things that have no
category (people, work, abstractions). Prints how often held-out items are right, then writes the heads.

    python bench/train/memory_categories.py [--out FILE]
"""

from __future__ import annotations

import argparse
import base64
from pathlib import Path

import numpy as np
from sklearn.linear_model import LogisticRegression

from clew.adapters.embeddings.use import default as embedder
from clew.policy import default as policy

FRAMES = ("i love {}", "i really like {}", "i hate {}", "i can't stand {}")
FRAMES_KO = ("나는 {} 좋아해", "{} 너무 좋아", "{} 싫어해")
NONE = """my mom; my dad; my brother; my sister; my wife; my husband; my boyfriend; my girlfriend; my best friend;
my friends; my boss; my coworkers; my job; my work; my new office; my school; my teacher; my class;
my neighbors; my apartment; my room; my phone; my laptop; people who lie; rude people; honest people; liars;
politicians; strangers; kids; children; old people; men; women; Mondays; weekends; mornings; the winter;
summer nights; rainy days; hot weather; the cold; the smell of rain; silence; loud noises; traffic;
long queues; waiting in line; being late; being alone; being ignored; feeling useless; getting old;
waking up early; going to the dentist; doctors; hospitals; needles; spiders; snakes; mosquitoes; bugs;
honesty; kindness; loyalty; freedom; peace; love; money; taxes; debt; bills; responsibility; surprises;
deadlines; meetings; emails; phone calls; small talk; gossip; drama at work; criticism; compliments;
this city; this country; my hometown; Seoul; Paris; New York; the countryside; my bed; my pillow; this dress;
your hair; your voice; your smile; this conversation; the idea; the way you talk; the color blue; red;
black clothes; expensive things; politics; religion; war; violence; injustice; racism; the government;
school uniforms; homework; exams; chores; doing laundry; washing dishes; commuting; the subway; airports;
crowds; darkness; heights; myself; my life; my body; my hair; my past; your jokes; that joke; lies; secrets;
change; routine"""
NONE_KO = """엄마; 아빠; 동생; 친구들; 남자친구; 여자친구; 우리 팀장; 회사; 직장 상사; 학교; 선생님;
월요일; 주말; 아침; 겨울; 여름밤; 비 오는 날; 더운 날씨; 추위; 거짓말하는 사람; 무례한 사람;
정직한 사람; 아이들; 모기; 벌레; 거미; 병원; 주사; 시험; 숙제; 과제; 청소; 빨래; 설거지;
출근; 지하철; 사람 많은 곳; 소음; 전화; 회의; 야근; 돈; 세금; 자유; 평화; 내 방; 내 침대;
내 성격; 내 목소리; 너의 웃음; 이 도시; 서울; 부산; 파란색; 검은 옷; 정치; 종교; 전쟁;
변화; 혼자 있는 시간"""
NAMES = ("none", "food", "drink", "music", "movie_genre", "game", "sport", "hobby", "study_style")


def items() -> list[tuple[str, str]]:
    known = [(n, c) for c, names in policy().remember.items.categories.items() for n in names]
    other = [(n.strip(), "none") for n in f"{NONE};{NONE_KO}".split(";") if n.strip()]
    return known + other


def sentences(item: str) -> list[str]:
    return [f.format(item) for f in (FRAMES if item.isascii() else FRAMES_KO)]


def fit(rows: list[tuple[str, str]], vectors: dict[str, np.ndarray]) -> LogisticRegression:
    x = np.array([vectors[s] for item, _ in rows for s in sentences(item)])
    y = [NAMES.index(c) for item, c in rows for _ in sentences(item)]
    return LogisticRegression(C=20, max_iter=400, class_weight="balanced").fit(x, y)


def main() -> None:
    parser = argparse.ArgumentParser()
    shipped = Path(__file__).resolve().parents[2] / "src/clew/policy/data/remember.heads.toml"
    parser.add_argument("--out", type=Path, default=shipped)
    out = parser.parse_args().out
    rows = items()
    texts = sorted({s for item, _ in rows for s in sentences(item)})
    vectors = dict(zip(texts, np.asarray(embedder().matrix(texts)), strict=True))
    for part in (0, 1):
        model = fit(rows[part::2], vectors)
        held = [(vectors[sentences(i)[0]], NAMES.index(c)) for i, c in rows[1 - part :: 2]]
        scores = model.decision_function(np.array([v for v, _ in held]))
        gold = np.array([c for _, c in held])
        best, order = scores.argmax(1), np.sort(scores, 1)
        for margin in (0.0, 1.0, 2.0, 3.0):
            sure = (order[:, -1] - order[:, -2] >= margin) & (best > 0)
            right = (best == gold)[sure].mean()
            wrong = sure[gold == 0].mean()
            stored = sure[gold > 0].mean()
            print(f"margin {margin}: stored {stored:.2f} right {right:.3f} of nothing stored {wrong:.3f}")
    model = fit(rows, vectors)
    lines = [
        "# Linear heads that tell the category of a liked thing; written by bench/train/memory_categories.py.",
        "",
    ]
    for name, weights, bias in zip(NAMES, model.coef_, model.intercept_, strict=True):
        scale = float(np.abs(weights).max() / 127)
        data = base64.b85encode(np.round(weights / scale).astype(np.int8).tobytes()).decode()
        lines += [f"[{name}]", f"bias = {bias:.4f}", f"scale = {scale:.6f}", f"weights = '''{data}'''", ""]
    out.write_text("\n".join(lines), encoding="utf-8")


if __name__ == "__main__":
    main()
