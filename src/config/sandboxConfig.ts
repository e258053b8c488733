// The configuration of the sandbox, which can also run alone.
import type { sandboxVariables, Variables } from "./variables.ts";

export interface SandboxConfig {
  port: number;
  token: string | null;
  timeZone: string;
  webhookUrl: string | null;
  webhookAuthorization: string | null;
  speed: number;
  seed: number;
}

export function sandboxConfigOf(vars: Pick<Variables, keyof typeof sandboxVariables>): SandboxConfig {
  return {
    port: vars.SANDBOX_PORT,
    token: vars.SANDBOX_TOKEN ?? null,
    timeZone: vars.SANDBOX_TIME_ZONE,
    webhookUrl: vars.SANDBOX_WEBHOOK_URL ?? null,
    webhookAuthorization: vars.SANDBOX_WEBHOOK_AUTHORIZATION ?? null,
    speed: vars.SANDBOX_SPEED,
    seed: vars.SANDBOX_SEED,
  };
}
