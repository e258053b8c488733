// `npm run bench -- systemd`: the unit of ops/ under a real systemd, for a minute without PostgreSQL.
import { setTimeout as pause } from "node:timers/promises";
import { startPostgres } from "../test/support/postgres/postgresServer.ts";
import { canBootSystemd, waitUnderSystemd } from "../test/support/systemdUnit.ts";

const KILLS = 6;

/** Prints a line. Throws where the unit was not alive, or started more than once after the kills. */
export async function benchSystemd(seconds: number): Promise<void> {
  if (!canBootSystemd()) throw new Error("systemd needs systemd, unshare, and a user who may make namespaces");
  await using server = await startPostgres({ fsync: false });
  const wait = () => pause(seconds * 1000);
  const { starts, answers, readyAfterMs } = await waitUnderSystemd({ url: server.url, kills: KILLS, wait });
  const extra = starts - KILLS - 1;
  console.log(
    `${KILLS} kills, then ${seconds} s without PostgreSQL: ${extra} more starts, /livez and /readyz ${answers.join(", ")}; ` +
      `ready ${(readyAfterMs / 1000).toFixed(1)} s after it was back`,
  );
  if (extra !== 0 || answers.join() !== "200 503") throw new Error("the unit did not wait");
}
