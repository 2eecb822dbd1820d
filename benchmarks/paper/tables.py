#!/usr/bin/env python3
"""Tables 1 and 2 of the pairwise paper from what bench_paper measured, beside the paper's own figures.

In: the lines of bench_paper on standard input. Out: Markdown on standard output; with `--plot FILE`, a bar chart as SVG.
With `--check` nothing is printed but what contradicts the claims, and the exit status is 1 if anything does.
"""
import argparse
import json
import math
import platform
import statistics
import sys
from collections import defaultdict

# Program: |CF|; seconds, mean and deviation, and percent of runs that failed, of Table 1 (bug finding) and Table 2
# (safety), each for the increment and in full.
PAPER = {
    "alarm_clock": (56, "0.25±0.22", "1.20±2.60", "0.25±0.24", "249.54±143.48"),
    "prod_cons": (38, "0.14±0.08", "0.16±0.04", "0.16±0.11", "6.33±1.82"),
    "rax_extended": (44, "0.17±0.23", "0.15±0.05 (1.1 %)", "0.17±0.24", "12.71±35.15 (1.1 %)"),
    "rep_workers": (126, "4.67±12.14 (3.4 %)", "5.31±29.30 (2.8 %)", "41.32±128.76 (4.6 %)", "4494.43±2859.57 (14.7 %)"),
    "sor": (56, "0.09±0.17", "0.83±0.92", "0.09±0.16", "352.02±74.26 (0.9 %)"),
    "cache4j": (110, "8.14±15.06 (0.84 %)", "32.46±283.76", "46.18±128.60 (2.1 %)", "4936.50±1987.80 (2.7 %)"),
    "elevator": (106, "7.92±16.14 (1.67 %)", "12.19±71.40 (1.0 %)", "27.38±54.99 (0.6 %)", "102.96±394.04 (88.2 %)"),
    "papabench": (374, "15.96±25.93", "28.52±178.98", "18.41±32.01", "8.19±168.26 (89.3 %)"),
    "qsort_mt": (71, "1.01±2.27 (1.25 %)", "0.61±0.41 (0.7 %)", "23.72±92.62 (3.8 %)", "735.84±360.06 (5.6 %)"),
}
SETTINGS = {
    "paper": "each plain access is a scheduling point, and safety looks for no data races, as in the paper",
    "default": "plain accesses are no scheduling points; data races are found by happens-before",
    "scaled": "the default with the parameters that each program names under `Scaled`",
}


def read(stream):
    """The runs and summaries, by (setting, program)."""
    runs, summaries = defaultdict(list), {}
    for line in stream:
        data = json.loads(line)
        key = data["setting"], data["program"]
        if data.get("summary"):
            summaries[key] = data
        else:
            runs[key].append(data)
    return runs, summaries


def of(runs, purpose, run):
    """Per statement, what addition and deletion took together, as in the paper."""
    sums = {}
    for data in runs:
        if data["purpose"] != purpose or data["run"] != run:
            continue
        total = sums.setdefault((data.get("unit"), data["function"], data["line"], data["kind"]),
                                {"s": 0, "cut": False, "executions": 0, "states": 0, "memory": 0})
        total["s"] += data["ms"] / 1e3
        total["cut"] |= data["cut"]
        total["executions"] += data["executions"]
        total["states"] += data["states"]
        total["memory"] = max(total["memory"], data["memoryKb"])
    return list(sums.values())


def seconds(sums):
    """Mean and deviation. A run that was cut counts with its limit; the paper drops it."""
    if not sums:
        return "-"
    times = [total["s"] for total in sums]
    deviation = statistics.pstdev(times)
    cut = sum(total["cut"] for total in sums)
    text = f"{statistics.mean(times):.3f}±{deviation:.3f}"
    return text + (f" ({100 * cut / len(sums):.1f} % cut)" if cut else "")


def mean(sums, key):
    return f"{statistics.mean(total[key] for total in sums):,.0f}" if sums else "-"


def ratio(full, increment):
    if not full or not increment:
        return "-"
    return f"{statistics.mean(t['s'] for t in full) / max(1e-9, statistics.mean(t['s'] for t in increment)):.1f}"


def table(rows):
    head, *body = rows
    return "\n".join(["| " + " | ".join(head) + " |", "|" + "---|" * len(head)] +
                     ["| " + " | ".join(map(str, row)) + " |" for row in body]) + "\n"


def print_setting(setting, runs, summaries):
    programs = sorted(program for at, program in runs if at == setting)
    print(f"## Setting *{setting}*\n\n{SETTINGS[setting][0].upper() + SETTINGS[setting][1:]}.\n")
    for number, purpose, title in ((1, "bugs", "bug finding"), (2, "safety", "safety")):
        rows = [["program", "statements", "pairs (s)", "shipped (s)", "full (s)", "full : pairs", "full : shipped",
                 "paper, increment (s)", "paper, full (s)"]]
        counts = [["program", "executions of pairs", "of full", "states of pairs", "of full", "most memory of full (MB)"]]
        for program in programs:
            own = runs[setting, program]
            pairs, shipped, full = (of(own, purpose, run) for run in ("pairs", "shipped", "full"))
            paper = PAPER.get(program)
            summary = summaries[setting, program]
            rows.append([program, f"{summary['fragments']} of {summary['of']}", seconds(pairs), seconds(shipped),
                         seconds(full), ratio(full, pairs), ratio(full, shipped),
                         paper[2 * number - 1] if paper else "-", paper[2 * number] if paper else "-"])
            counts.append([program, mean(pairs, "executions"), mean(full, "executions"), mean(pairs, "states"),
                           mean(full, "states"), f"{max((t['memory'] for t in full), default=0) / 1024:.0f}"])
        print(f"**Table {number}: {title}**\n\n{table(rows)}\n{table(counts)}")


def contradictions(runs):
    """Deletions for which the increment as shipped and the full search do not agree whether there is an error."""
    problems = []
    for (setting, program), own in sorted(runs.items()):
        found = {}
        for data in own:
            if data["purpose"] == "safety" and data["direction"] == "deletion" and not data["cut"]:
                at = data.get("unit", ""), data["line"], data["kind"]
                found.setdefault(at, {})[data["run"]] = set(data["rules"])
        for (unit, line, kind), rules in sorted(found.items()):
            if {"shipped", "full"} <= rules.keys() and not rules["full"] <= rules["shipped"]:
                problems.append(f"{program} ({setting}), {unit}, line {line}, {kind}: full finds {sorted(rules['full'])}, "
                                f"the increment {sorted(rules['shipped'])}")
    return problems


def plot(runs, path):
    """Mean seconds per statement of the safety runs, on a logarithmic axis, as SVG."""
    setting = "scaled" if any(at == "scaled" for at, _ in runs) else "default"
    bars = [(program, statistics.mean(t["s"] for t in of(own, "safety", "shipped")),
             statistics.mean(t["s"] for t in of(own, "safety", "full")))
            for (at, program), own in sorted(runs.items()) if at == setting]
    least, most = -3, 3  # powers of ten
    x = lambda s: 170 + 420 * (min(max(math.log10(max(s, 1e-9)), least), most) - least) / (most - least)
    height = 40 + 34 * len(bars)
    svg = [f'<svg xmlns="http://www.w3.org/2000/svg" width="640" height="{height}" font-family="sans-serif" font-size="12">',
           f'<rect width="640" height="{height}" fill="white"/>']
    for power in range(least, most + 1):
        svg.append(f'<line x1="{x(10.0 ** power):.0f}" y1="20" x2="{x(10.0 ** power):.0f}" y2="{height - 20}" stroke="#ccc"/>'
                   f'<text x="{x(10.0 ** power):.0f}" y="{height - 6}" text-anchor="middle">{10.0 ** power:g} s</text>')
    for n, (program, shipped, full) in enumerate(bars):
        y = 26 + 34 * n
        svg.append(f'<text x="162" y="{y + 16}" text-anchor="end">{program}</text>')
        for offset, value, colour in ((0, shipped, "#1b7f79"), (12, full, "#b5651d")):
            svg.append(f'<rect x="170" y="{y + offset}" width="{max(1, x(value) - 170):.0f}" height="10" fill="{colour}"/>')
    svg.append('<text x="170" y="14" fill="#1b7f79">increment as shipped</text>'
               '<text x="310" y="14" fill="#b5651d">full</text></svg>')
    with open(path, "w") as file:
        file.write("\n".join(svg) + "\n")


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--check", action="store_true")
    parser.add_argument("--plot", metavar="FILE")
    parser.add_argument("--machine", default=f"{platform.machine()}, {platform.system()}", help="what it ran on")
    options = parser.parse_args()
    runs, summaries = read(sys.stdin)
    if not runs:
        parser.error("no runs on standard input")
    problems = contradictions(runs)
    if options.check:
        print(f"{sum(map(len, runs.values()))} runs, {len(problems)} contradictions")
        print("\n".join(problems), file=sys.stderr)
        return 1 if problems else 0
    print(f"# The pairwise paper's experiment\n\nMade by `./dev bench paper` on: {options.machine}. Each row is a mean "
          "over some statements of a program, evenly chosen; their number is given, and that of all. Each was removed; the addition and "
          "the deletion count together, "
          "as in the paper. *Pairs* is step 1 alone, *shipped* is `heddle check` from its start to its end, with both "
          "versions compiled. A run that was cut counts with its limit.\n")
    for setting in SETTINGS:
        if any(at == setting for at, _ in runs):
            print_setting(setting, runs, summaries)
    rows = [["program", "removal does not compile", "would split a critical section"]]
    rows += [[program, data["notCompiled"], data["skipped"]] for (setting, program), data in sorted(summaries.items())
             if setting == "default" and data["notCompiled"] + data["skipped"]]
    if len(rows) > 1:
        print(f"Statements that are not in the tables:\n\n{table(rows)}")
    print("Full and shipped disagree on:\n\n" + "".join(f"- {p}\n" for p in problems) if problems else
          "Full and shipped agree on every deletion.")
    if options.plot:
        plot(runs, options.plot)
    return 0


if __name__ == "__main__":
    sys.exit(main())
