// What is configured of the sandbox, alone or beside the gateway.
import { z } from "zod";
import { httpUrl, secretText, timeZone, wholeNumber } from "./configRules.ts";

export interface SandboxConfig {
  port: number;
  token: string | null;
  timeZone: string;
  webhookUrl: string | null;
  webhookAuthorization: string | null;
  speed: number;
  seed: number;
}

export const sandboxVariables = {
  SANDBOX_PORT: wholeNumber(0, 65_535).default(4010),
  SANDBOX_TOKEN: secretText.optional(),
  SANDBOX_TIME_ZONE: timeZone.default("Asia/Shanghai"),
  SANDBOX_WEBHOOK_URL: httpUrl.optional(),
  SANDBOX_WEBHOOK_AUTHORIZATION: secretText.optional(),
  SANDBOX_SPEED: wholeNumber(1, 10_000).default(1),
  SANDBOX_SEED: wholeNumber(0, 4_294_967_295).default(1),
} satisfies Record<string, z.ZodType>;

const shape = z.object(sandboxVariables);

export function sandboxConfigOf(vars: z.output<typeof shape>): SandboxConfig {
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
