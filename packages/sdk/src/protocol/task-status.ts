/**
 * `completed`: it ended by itself with exit code 0. `failed`: with another one, by a signal, or it could not be
 * followed. `stopped`: it was ended on request, by its time limit, or with its session. `lost`: the process that had
 * started it is gone. `left`: a fork does not own the commands of its original.
 */
export type TaskStatus = "completed" | "failed" | "stopped" | "lost" | "left";
