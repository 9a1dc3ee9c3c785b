#!/bin/bash
# Renders books on several nodes of a Slurm cluster, as one job:
#
#   sbatch docs/cluster/slurm.sh book.epub              (from a folder that all nodes share)
#   sbatch --nodes=4 docs/cluster/slurm.sh *.epub       (more nodes; all options of render, too)
#
# Scheduler and render run on the first node, and a worker on each node, which starts a process for
# each of its GPUs. The job ends with the last book. One that is killed or runs out of time goes on
# where it was when it is submitted again. slurm-worker.sh brings more workers while it runs.
#
# Before: audiomill with the extras dask and kokoro, on the shared disk, first in PATH.
#
# Why not dask-jobqueue: it always starts `python -m MODULE ADDRESS --nthreads N --memory-limit M`,
# which is not how a worker of audiomill is started.
#
# Dask knows no passwords: who reaches the scheduler's port can run code as you. On a cluster whose
# users you do not trust, configure Dask's TLS first.
#SBATCH --job-name=audiomill
#SBATCH --partition=gpu
#SBATCH --nodes=2
#SBATCH --ntasks-per-node=1
#SBATCH --cpus-per-task=8
#SBATCH --gres=gpu:1
#SBATCH --time=04:00:00
#SBATCH --signal=B:TERM@60
#SBATCH --output=audiomill-%j.log
set -euo pipefail

# The store is a folder of the shared disk, unless AUDIOMILL_STORE says otherwise.
export AUDIOMILL_STORE="${AUDIOMILL_STORE:-$PWD/shards}"
export AUDIOMILL_EXECUTOR=dask
engine="${AUDIOMILL_ENGINE:-kokoro}"
address_file="$PWD/scheduler.address"
scheduler_file="$PWD/scheduler-$SLURM_JOB_ID.json"

# However this ends: slurm-worker.sh leaves when the address is gone, or is that of another job.
stop() {
    if [ "$(cat "$address_file" 2>/dev/null)" = "${address:-none}" ]; then
        rm -f "$address_file"
    fi
    rm -f "$scheduler_file"
    jobs -p | xargs --no-run-if-empty kill 2>/dev/null || true
    wait
}
trap stop EXIT
trap 'exit 143' TERM

read_address() {
    python -c 'import json, sys; print(json.load(open(sys.argv[1]))["address"])' "$scheduler_file"
}

# A free port, because others may have a scheduler on this node. Dask writes where it listens.
dask scheduler --port 0 --dashboard-address :0 --scheduler-file "$scheduler_file" &
scheduler=$!
until address=$(read_address 2>/dev/null); do
    kill -0 "$scheduler"
    sleep 1
done
# Moved, so that nobody reads half of it.
echo "$address" >"$address_file.$SLURM_JOB_ID"
mv "$address_file.$SLURM_JOB_ID" "$address_file"

# One worker that fails ends no others. Names must be unique, also beside those of slurm-worker.sh.
# shellcheck disable=SC2016  # the variables of each node, not of this one
srun --kill-on-bad-exit=0 bash -c \
    'exec audiomill worker --scheduler "$1" --engine "$2" --name "$SLURMD_NODENAME-$SLURM_JOB_ID"' \
    bash "$address" "$engine" &

# In the background, so that a signal is heard meanwhile.
export AUDIOMILL_DASK_SCHEDULER="$address"
audiomill render --engine "$engine" "$@" &
wait $!
