// `switchboard projections`: prints the builds of the tables that a running gateway derives from its log, and makes one anew.
import { setTimeout as pause } from "node:timers/promises";
import { exitWhenReaderCloses, notify, printLine } from "../output.ts";
import { UsageError } from "../options.ts";
import { createGatewayClient, type GatewayClient } from "./gatewayClient.ts";

interface Options {
  url?: string | undefined;
}

interface Build {
  name: string;
  build: number;
  version: string;
  state: "LIVE" | "BUILDING" | "RETIRED";
  cursor: string | null;
  behind: number;
}

const FIELDS = "name build version state cursor behind";
const LOOK_MS = 1000;

const buildsOf = async (gateway: GatewayClient) =>
  (await gateway.query<{ projections: Build[] | null }>(`{ projections { ${FIELDS} } }`)).projections ?? [];

/** A JSON line for each build. */
export async function projectionsCommand({ url }: Options, env: NodeJS.ProcessEnv): Promise<number> {
  exitWhenReaderCloses();
  for (const build of await buildsOf(createGatewayClient(url, env))) await printLine(build);
  return 0;
}

/** Waits until the new build has taken the place of the old one, and prints it. It goes on if the command is interrupted. */
export async function rebuildCommand(name: string, { url }: Options, env: NodeJS.ProcessEnv): Promise<number> {
  if (name === "") throw new UsageError("The name of a projection is needed, such as recipients.");
  exitWhenReaderCloses();
  const gateway = createGatewayClient(url, env);
  const { rebuildProjection } = await gateway.query<{ rebuildProjection: Build[] | null }>(
    `mutation($name: String!) { rebuildProjection(name: $name) { ${FIELDS} } }`,
    { name },
  );
  const begun = Math.max(0, ...(rebuildProjection ?? []).map(({ build }) => build));
  for (;;) {
    const builds = (await buildsOf(gateway)).filter((each) => each.name === name && each.build >= begun);
    const live = builds.find(({ state }) => state === "LIVE");
    if (live) {
      await printLine(live);
      return 0;
    }
    notify(`${builds.at(-1)?.behind ?? 0} places of the log are left.\n`);
    await pause(LOOK_MS);
  }
}
