// The gateway and the sandbox that `npm start` runs, in a process of their own.
import { MAIN } from "./gateway.ts";
import { startProgram, type Environment, type Program } from "./program.ts";

export interface StartedForPeople extends AsyncDisposable {
  url: string;
  program: Program;
  /** Throws unless the answer has data. */
  ask<T>(query: string): Promise<T>;
  /** Resolves when the sandbox has told its history; with what it says then. */
  begun(): Promise<Record<string, unknown>>;
}

/** `directory`: the working directory, which gets the folder `data`. */
export async function startForPeople(directory: string, env: Environment = {}): Promise<StartedForPeople> {
  const program = startProgram([MAIN], { PORT: "0", SANDBOX_PORT: "0", ...env }, directory);
  const url = String((await program.line(({ msg }) => msg === "the gateway listens"))["url"]);
  return {
    url,
    program,
    async ask<T>(query: string) {
      const response = await fetch(`${url}/graphql`, {
        method: "POST",
        headers: { "content-type": "application/json" },
        body: JSON.stringify({ query }),
      });
      const { data, errors } = (await response.json()) as { data?: T; errors?: { message: string }[] };
      if (!data || errors) throw new Error(errors?.[0]?.message ?? "no data");
      return data;
    },
    begun: () => program.line(({ msg }) => msg === "The sandbox has begun."),
    [Symbol.asyncDispose]: () => program[Symbol.asyncDispose](),
  };
}
