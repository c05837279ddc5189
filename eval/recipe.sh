#!/usr/bin/env bash
# Makes a network and lets it play against the one in this folder: generate -> (label) -> fit from the shipped network, or
# from nothing -> average -> match, and once more with labels of the network that won. No step by hand; every step
# continues or is skipped where it has been done.
#
#   DATA=/big/pile RUN=/big/run-1 eval/recipe.sh          parameters are environment variables, see below
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)

HAGANE=${HAGANE:-$here/../target/release/hagane} # the program
SHIPPED=${SHIPPED:-$here/hagane.nn}              # the network that plays, that is taught on, and that is the opponent
DATA=${DATA:?a folder for the pile of games}     # the pile: a folder of games (shards with a manifest) for each run of generate
RUN=${RUN:?a folder for this run of the recipe}  # labels, networks and matches
THREADS=${THREADS:-$(nproc)}

NAME=${NAME:-games}                              # this run's folder in the pile
GAMES=${GAMES:-0}                                # games in it; 0: learn from the pile as it is
NODES=${NODES:-5000}                             # nodes per move
LEAST_NODES=${LEAST_NODES:-$NODES}               # folders of the pile made with fewer nodes per move are left out
SEED=${SEED:-1}
STARTS=${STARTS:---sound 0.35 --castles 0.2 --handicap 0.05 --entering-king 0.05} # kinds of start positions
BRANCH_OFF=${BRANCH_OFF:-0.3}                    # share that branches off from EARLIER, where that is given
EARLIER=${EARLIER:-}                             # a folder of earlier games

LABEL_NODES=${LABEL_NODES:-0}                    # relabel the pile by searches of so many nodes; 0: the games' own scores
LABEL_SHARE=${LABEL_SHARE:-1}                    # the share of the positions that is relabelled
TREE_STRAP=${TREE_STRAP:-0}                      # and label the positions of trees that were searched this deep
ROUNDS=${ROUNDS:-1}                              # so often in all, while a network wins: it labels the pile for the next

BASES=${BASES:-shipped}                          # where learning begins; nothing-512: 512 wide (the shipped one is 256)
FROM_SHIPPED=${FROM_SHIPPED:---epochs 2 --rate 0.0001 --batch 4096 --warm-up 20000 --factoriser 0.1 --power 2}
FROM_NOTHING=${FROM_NOTHING:---epochs 20 --rate 0.002 --batch 16384 --warm-up 1000000 --factoriser 1 --power 1.5 --row-decay 1}
TD_LAMBDA=${TD_LAMBDA:-0.95}                     # the weight of later scores in the lesson from scores
RESULT_LAMBDA=${RESULT_LAMBDA:-0.5}              # the weight of scores against results in the last lesson
RESULT_EPOCHS=${RESULT_EPOCHS:-0}                # of that lesson; 0: none
RESULTS=${RESULTS:---rate 0.0002 --batch 16384 --warm-up 1000000 --factoriser 1 --power 2}
CENTIPAWNS=288                                   # what an output of 1.0 is worth in play: suits margins and attack terms

MATCH_NODES=${MATCH_NODES:-30000}                # nodes per move
MATCH_GAMES=${MATCH_GAMES:-2000}                 # at most
OPENINGS=${OPENINGS:-}                           # a file of openings; otherwise eight random moves
SPRT=${SPRT:-elo0=0 elo1=10}

say() { printf '\n== %s\n' "$*"; }
mkdir -p "$DATA" "$RUN"

if [ "$GAMES" -gt 0 ]; then
    say "generate: $GAMES games at $NODES nodes per move"
    earlier=(--branch-off 0)
    [ -z "$EARLIER" ] || earlier=(--branch-off "$BRANCH_OFF" --earlier "$EARLIER")
    # shellcheck disable=SC2086 # several words
    "$HAGANE" train generate "$DATA/$NAME" --network "$SHIPPED" --games "$GAMES" --nodes "$NODES" --seed "$SEED" \
        --threads "$THREADS" $STARTS "${earlier[@]}"
fi
shopt -s nullglob
pile=()
for manifest in "$DATA"/*/manifest.json; do
    nodes=$(sed -n 's/^ *"nodes": \([0-9]*\),*$/\1/p' "$manifest")
    [ "${nodes:-0}" -lt "$LEAST_NODES" ] || pile+=("$(dirname "$manifest")")
done
[ ${#pile[@]} -gt 0 ] || { echo "$DATA holds no folder of games at $LEAST_NODES nodes: give GAMES" >&2 && exit 1; }
say "the pile"
"$HAGANE" train stats "${pile[@]}" | head -n 8

if [ "$LABEL_NODES" -gt 0 ]; then
    say "label: searches of $LABEL_NODES nodes"
    labels=()
    for folder in "${pile[@]}"; do
        labels+=("$RUN/labels/$(basename "$folder")")
        "$HAGANE" train label "$folder" -o "${labels[-1]}" --network "$SHIPPED" --nodes "$LABEL_NODES" \
            --share "$LABEL_SHARE" --tree-strap "$TREE_STRAP" --threads "$THREADS"
    done
    pile=("${labels[@]}")
fi

# The scores of networks that were written with these centipawns win 73 % of the games at this size.
scale=$((600 * CENTIPAWNS / 360))
fit() { # NAME SETTINGS: a network, unless it is there
    local out=$RUN/$1
    shift
    [ ! -f "$out/hagane.nn" ] || return 0
    if [ -f "$out/checkpoint" ]; then
        "$HAGANE" train fit -o "$out" --resume --threads "$THREADS"
    else
        "$HAGANE" train fit "${pile[@]}" -o "$out" --td-lambda "$TD_LAMBDA" --scale "$scale" --threads "$THREADS" "$@"
    fi
}
read -ra from_nothing <<<"$FROM_NOTHING"
read -ra from_shipped <<<"$FROM_SHIPPED"
read -ra results <<<"$RESULTS"
for base in $BASES; do
    case $base in
    nothing) begin=("${from_nothing[@]}") ;;
    nothing-*) begin=("${from_nothing[@]}" --width "${base#nothing-}") ;;
    shipped) begin=("${from_shipped[@]}" --initial "$SHIPPED") ;;
    *) echo "BASES: $base is neither nothing, nothing-WIDTH nor shipped" >&2 && exit 1 ;;
    esac
    say "fit from $base"
    fit "$base-scores" --lambda 1 "${begin[@]}"
    lessons=("$RUN/$base-scores/hagane.nn")
    if [ "$RESULT_EPOCHS" -gt 0 ]; then
        fit "$base-results" --epochs "$RESULT_EPOCHS" --lambda "$RESULT_LAMBDA" "${results[@]}" \
            --initial "$RUN/$base-scores/hagane.nn"
        lessons+=("$RUN/$base-results/hagane.nn")
    fi
    "$HAGANE" train average "${lessons[@]}" --centipawns "$CENTIPAWNS" -o "$RUN/$base.nn"
done

winner=
for base in $BASES; do
    say "match: from $base against the shipped network, $MATCH_NODES nodes per move"
    openings=(--random-plies 8)
    [ -z "$OPENINGS" ] || openings=(--openings "$OPENINGS" --order random)
    resume=()
    [ ! -f "$RUN/$base.state" ] || resume=(--resume)
    # shellcheck disable=SC2086 # several words
    "$HAGANE" arena --engine name="from-$base" option.EvalFile="$RUN/$base.nn" --engine name=shipped \
        option.EvalFile="$SHIPPED" --each nodes="$MATCH_NODES" option.Threads=1 option.USI_Hash=16 option.USI_OwnBook=false \
        "${openings[@]}" \
        --games "$MATCH_GAMES" --concurrency "$THREADS" --sprt $SPRT --state "$RUN/$base.state" "${resume[@]}" |
        tee "$RUN/$base.match"
    [ -n "$winner" ] || ! grep -q 'SPRT: H1' "$RUN/$base.match" || winner=$RUN/$base.nn
done

[ -n "$winner" ] || { say "no network won: the shipped one stays" && exit; }
say "$winner won"
if [ "$ROUNDS" -gt 1 ]; then
    [ "$LABEL_NODES" -gt 0 ] || LABEL_NODES=$NODES
    exec env SHIPPED="$winner" RUN="$RUN/again" GAMES=0 LABEL_NODES="$LABEL_NODES" ROUNDS=$((ROUNDS - 1)) "$0"
fi
