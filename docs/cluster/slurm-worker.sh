#!/bin/bash
# More workers for a running slurm.sh: each element of the array is one, and joins when Slurm finds
# a node for it. From the folder where slurm.sh was submitted:
#
#   sbatch --array=1-8 docs/cluster/slurm-worker.sh
#
# Nothing is lost if one is preempted or runs out of time: others take over what it was rendering.
# It leaves when the render has ended.
#SBATCH --job-name=audiomill-worker
#SBATCH --partition=gpu
#SBATCH --ntasks=1
#SBATCH --cpus-per-task=4
#SBATCH --gres=gpu:1
#SBATCH --time=04:00:00
#SBATCH --requeue
#SBATCH --signal=B:TERM@60
#SBATCH --output=audiomill-worker-%A-%a.log
set -euo pipefail

export AUDIOMILL_STORE="${AUDIOMILL_STORE:-$PWD/shards}"
engine="${AUDIOMILL_ENGINE:-kokoro}"
address_file="$PWD/scheduler.address"
poll_s="${POLL_S:-10}"

if [ ! -s "$address_file" ]; then
    echo "There is no $address_file: submit slurm.sh here first, and wait until it runs." >&2
    exit 1
fi
address=$(cat "$address_file")
audiomill worker --scheduler "$address" --engine "$engine" --name "$SLURMD_NODENAME-$SLURM_JOB_ID" &
worker=$!
trap 'kill "$worker" 2>/dev/null || true' TERM

# A worker waits for a scheduler that is away. One whose job is over does not come back.
while kill -0 "$worker" 2>/dev/null; do
    if [ "$(cat "$address_file" 2>/dev/null)" != "$address" ]; then
        kill "$worker" 2>/dev/null || true
        wait "$worker" || true # it may complain that the scheduler is away
        exit 0
    fi
    sleep "$poll_s" &
    wait $! || true
done
wait "$worker"
