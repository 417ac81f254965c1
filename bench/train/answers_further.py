"""The network of answers, taught further: it goes on from its shipped weights, with small steps, on plain cores.

    python bench/train/answers.py --cases CASES            (for some files of sentences)
    python bench/train/answers_network.py pack PACK CASES … --shipped
    python bench/train/answers_further.py PACK FITTED [--passes N] [--without HAND …] [--only N]
    python bench/train/answers_network.py ship FITTED

For sentences of new hands, without making the cases of all older ones again: a few of those are put beside the new ones, so that
nothing is unlearned; and what is shipped lies between the weights of before and those it came to (`--share`). Cases are varied as answers_patient.py varies them. Needs torch and numpy alone; two passes over 16,000
cases took a net twelve minutes on one core. `--only` teaches one of the nets, so that two cores may teach one each.
"""

from __future__ import annotations

import argparse
import math
import time
from pathlib import Path
from typing import Any

import numpy as np
import torch
from answers_patient import LANGUAGES, Held, Network, Plan, Variations, by_trees, chances, loss_of, told
from shipped import POLICY
from torch import nn

SIZE, RATE, RISE, SLOWEST, MEAN, DECAY, TOLD_EVERY = 48, 4e-4, 40, 0.05, 0.99, 0.02, 50


def begun(weights: dict[str, np.ndarray], number: int, plan: Plan, own: int) -> Network:
    """A net as it is shipped. Its first head is not shipped and begins as a copy of the second."""
    net = Network(own, plan)
    state: dict[str, Any] = net.state_dict()
    for name in state:
        layer, kind = name.rsplit(".", 1)
        if layer == "score":
            continue
        key = f"{number}_{layer.replace('.', '')}"
        if layer.startswith("norm"):
            value = weights[key + ("_g" if kind == "weight" else "_b")]
        elif kind == "bias":
            value = weights[key + "_b"]
        else:
            value = weights[key].astype(np.float32) * weights[key + "_s"]
            value = value if layer == "mark" else value.T
        state[name] = torch.tensor(np.ascontiguousarray(value), dtype=torch.float32)
    state["score.weight"], state["score.bias"] = state["member.weight"].clone(), state["member.bias"].clone()
    net.load_state_dict(state)
    return net.eval()


def further(net: Network, held: Held, use: list[int], passes: float, seed: int) -> Network:
    torch.manual_seed(seed)
    vary = Variations(held, torch.tensor(use), Plan(seed=seed + 1, size=SIZE))
    optimizer = torch.optim.AdamW(net.parameters(), lr=RATE, weight_decay=DECAY)
    mean = torch.optim.swa_utils.AveragedModel(net, multi_avg_fn=torch.optim.swa_utils.get_ema_multi_avg_fn(MEAN))
    order = np.concatenate([np.random.default_rng(seed * 10 + p).permutation(use) for p in range(math.ceil(passes))])
    steps, began, total = int(passes * len(use) / SIZE), time.monotonic(), 0.0
    net.train()
    for step in range(steps):
        pace = min(1, (step + 1) / RISE) * max(SLOWEST, 0.5 * (1 + math.cos(math.pi * step / steps)))
        for group in optimizer.param_groups:
            group["lr"] = RATE * pace
        b = vary.words(held.batch(torch.tensor(order[step * SIZE : (step + 1) * SIZE]), vary.others))
        loss = loss_of(net(b), b, Plan().smooth)
        optimizer.zero_grad(set_to_none=True)
        loss.backward()
        nn.utils.clip_grad_norm_(net.parameters(), 2.0)
        optimizer.step()
        mean.update_parameters(net)
        total += float(loss.detach())
        if step % TOLD_EVERY == TOLD_EVERY - 1:
            print(f"  step {step + 1} of {steps}: loss {total / TOLD_EVERY:.3f}, {time.monotonic() - began:.0f} s", flush=True)
            total = 0.0
    made: Network = mean.module
    return made.eval()


def between(before: Network, after: Network, share: float) -> Network:
    """Part of the way: nearly all that was learned, and less of the old is lost."""
    old, new = before.state_dict(), after.state_dict()
    after.load_state_dict({name: old[name] * (1 - share) + new[name] * share for name in old})
    return after.eval()


def left_out(name: str, nets: list[Network], held: Held, without: list[str]) -> None:
    for hand in without:
        for k, language in enumerate(LANGUAGES):
            some = [i for i in range(held.rows) if held.hands[held.hand[i]] == hand and held.lang[i] == k]
            if some:
                told(f"{name} {hand} {language}", held, some, (by_trees(held, some) + chances(nets, held, some)) / 2)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("pack", type=Path)
    parser.add_argument("out", type=Path)
    parser.add_argument("--passes", type=float, default=2.0)
    parser.add_argument("--without", nargs="*", default=[], help="hands that are left out, and measured on")
    parser.add_argument("--share", type=float, default=0.6, help="how much of the way from the weights of before to the new ones")
    parser.add_argument("--only", type=int, help="teach this net alone and leave the others as they are")
    args = parser.parse_args()
    with np.load(POLICY / "weights/answering.npz") as shipped:
        weights = {name: shipped[name] for name in shipped.files}
    held = Held(args.pack, (weights["own_mean"], weights["own_spread"]))
    use = [i for i in range(held.rows) if held.hands[held.hand[i]] not in args.without]
    plan, own = Plan(size=SIZE), held.parts["own"].shape[2]
    nets = [begun(weights, n, plan, own) for n in range(int(weights["nets"]))]
    left_out("before", nets, held, args.without)
    for n, net in enumerate(nets):
        if args.only in (None, n):
            nets[n] = between(begun(weights, n, plan, own), further(net, held, use, args.passes, n), args.share)
            torch.save(([x.state_dict() for x in nets], held.scale), args.out)
    left_out("after", nets, held, args.without)


if __name__ == "__main__":
    main()
