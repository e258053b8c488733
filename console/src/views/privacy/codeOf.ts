import type { SwitchboardError } from "switchboard-client";

/** The code of an error. One that the client did not throw has none. */
export const codeOf = (error: unknown): string => (error as Partial<SwitchboardError>).code ?? "INTERNAL_SERVER_ERROR";
