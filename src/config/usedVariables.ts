// Which variables a configuration uses. The others are not read, so that what a platform or an operator set for something else
// cannot end a start.
import type { Environment } from "./readVariables.ts";
import { proxyVariables } from "./proxyConfig.ts";
import { variables } from "./variables.ts";
import { trimInvisible } from "./variableText.ts";

export function usedVariables(env: Environment): string[] {
  const textOf = (name: string) => trimInvisible(env[name] ?? "");
  const hasSandbox = textOf("UPSTREAM_URL") === "";
  const hasServer = textOf("DATABASE_URL").startsWith("postgres") || textOf("DATABASE_URL_FILE") !== "";
  const isTraced = textOf("OTEL_EXPORTER_OTLP_ENDPOINT") !== "" && textOf("OTEL_SDK_DISABLED").toLowerCase() !== "true";
  return Object.keys(variables).filter((name) => {
    if (name.startsWith("SANDBOX_")) return hasSandbox;
    if (name.startsWith("OTEL_")) return isTraced;
    if (name.startsWith("PGPASSWORD")) return hasServer;
    if (name.startsWith("MCP_")) return textOf("MCP") === "on";
    // The sandbox is on this machine.
    if (name.replace(/_FILE$/, "") in proxyVariables) return !hasSandbox;
    return true;
  });
}
