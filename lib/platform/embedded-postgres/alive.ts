import { readFile } from "node:fs/promises";

/** Whether a process is running; a zombie is not. */
export async function isAlive(pid: number): Promise<boolean> {
  try {
    process.kill(pid, 0);
  } catch (error) {
    if (!(error instanceof Error && "code" in error && error.code === "EPERM")) return false;
  }
  const state = await readFile(`/proc/${pid}/stat`, "latin1").catch(() => "");
  return !/^\d+ \(.*\) [ZX]/s.test(state);
}
