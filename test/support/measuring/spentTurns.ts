// Reads the meter of longestTurn.ts from a gateway that was started with the variables of withTurnMeter.
import { fileURLToPath } from "node:url";
import type { GatewayProgram } from "../gateway.ts";
import { until } from "../until.ts";

const TURN_METER = fileURLToPath(new URL("longestTurn.ts", import.meta.url));

/** The compile cache is written a second after the start, in one long turn: hence without it. */
export const withTurnMeter = { NODE_OPTIONS: `--import ${TURN_METER}`, NODE_DISABLE_COMPILE_CACHE: "1" };

/** Milliseconds of processor time. */
export interface Spent {
  /** In the longest turn of the event loop. */
  longestMs: number;
  totalMs: number;
}

/** The turns of the gateway's main thread since the last call. */
export async function spentTurns(gateway: Pick<GatewayProgram, "output" | "process">): Promise<Spent> {
  const before = gateway.output.length;
  gateway.process.kill("SIGUSR2");
  const line = await until(() => gateway.output.slice(before).find((text) => text.includes('"turns"')) ?? null);
  return JSON.parse(line) as Spent;
}
