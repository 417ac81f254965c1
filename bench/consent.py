"""Thanks, goodbyes, small talk, new requests, quantities and questions beside a list with something on offer (ruling G24).

    python bench/consent.py [--show N]

None of the lines in bench/data/consent_*.txt takes anything, whatever was offered; each is said beside a few lists, and what is
acted on is counted. The aim is none.
"""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import Any

from unread_doors import _ground as grounded

HERE = Path(__file__).parent
LISTS: dict[str, tuple[dict[str, Any], ...]] = {
    "en": (
        {
            "assistant": "Three tables are free tonight. Shall I book the one at the window?", "offered": "w",
            "candidates": [
                {"id": "w", "label": "Window table", "sublabel": "19:00, two seats"},
                {"id": "g", "label": "Garden table", "sublabel": "20:30, four seats"},
                {"id": "b", "label": "Bar", "sublabel": "any time"},
            ],
        },
        {
            "assistant": "I found these kettles. The Vesta is the quietest one.", "offered": "v",
            "candidates": [
                {"id": "v", "label": "Vesta 1.7 l", "sublabel": "$39, steel"},
                {"id": "o", "label": "Ollo mini", "sublabel": "$24, red"},
            ],
        },
        {
            "assistant": "Here is the draft to your landlord. Send it?", "offered": "d",
            "candidates": [
                {"id": "d", "label": "Draft to the landlord", "sublabel": "today"},
                {"id": "o", "label": "Older draft", "sublabel": "last week"},
                {"id": "n", "label": "Note to yourself", "sublabel": "May"},
            ],
        },
    ),
    "ko": (
        {
            "assistant": "오늘 저녁에 세 자리 있어요. 창가 자리로 예약할까요?", "offered": "w",
            "candidates": [
                {"id": "w", "label": "창가 자리", "sublabel": "7시, 2인"},
                {"id": "g", "label": "정원 자리", "sublabel": "8시 반, 4인"},
                {"id": "b", "label": "바", "sublabel": "아무 때나"},
            ],
        },
        {
            "assistant": "주전자 두 개 찾았어요. 베스타가 제일 조용해요.", "offered": "v",
            "candidates": [
                {"id": "v", "label": "베스타 1.7L", "sublabel": "39,000원, 스테인리스"},
                {"id": "o", "label": "올로 미니", "sublabel": "24,000원, 빨강"},
            ],
        },
        {
            "assistant": "집주인께 보낼 초안이에요. 보낼까요?", "offered": "d",
            "candidates": [
                {"id": "d", "label": "집주인 메일 초안", "sublabel": "오늘"},
                {"id": "o", "label": "지난 초안", "sublabel": "지난주"},
                {"id": "n", "label": "메모", "sublabel": "5월"},
            ],
        },
    ),
}  # fmt: skip


def main() -> None:
    ask = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    ask.add_argument("--show", type=int, default=0, metavar="N", help="print so many of what was acted on")
    given = ask.parse_args()
    print("| language | acted on | of | lines that ever act | of |\n|---|---:|---:|---:|---:|")
    for language, lists in LISTS.items():
        lines = (HERE / "data" / f"consent_{language}.txt").read_text(encoding="utf-8").splitlines()
        acted = []
        for text in lines:
            for row in lists:
                answer = grounded({**row, "user": text})
                if answer["outcome"] == "execute":
                    acted.append((text, row["assistant"], answer["choice_id"], answer["reasons"][0]["rule"]))
        ever = len({text for text, *_ in acted})
        print(f"| {language} | {len(acted)} | {len(lines) * len(lists)} | {ever} | {len(lines)} |")
        for line in acted[: given.show]:
            print("  ", *line, sep=" / ")


if __name__ == "__main__":
    main()
