// The configuration of destinations: the file that defines them, and the hosts to which they may point.
import { z } from "zod";
import { hostList, type HostRule } from "./hostList.ts";

export interface DestinationsConfig {
  /** Null: there are none. */
  file: string | null;
  /** Null: any public https host. */
  hosts: readonly HostRule[] | null;
}

export const destinationsVariables = {
  DESTINATIONS_FILE: z.string().optional(),
  DESTINATION_HOSTS: hostList.optional(),
} satisfies Record<string, z.ZodType>;

const shape = z.object(destinationsVariables);

export function destinationsConfigOf(vars: z.output<typeof shape>): DestinationsConfig {
  return { file: vars.DESTINATIONS_FILE ?? null, hosts: vars.DESTINATION_HOSTS ?? null };
}
