// Reads from the sources what this version of the gateway promises outside of the graph.
import { readFileSync } from "node:fs";
import { z } from "zod";
import { scopes } from "../../src/auth/scopes.ts";
import { variables } from "../../src/config/variables.ts";
import { CodedError, errorCodes, type ErrorCode } from "../../src/errors.ts";
import { catalogue } from "../../src/server/metrics/catalogue.ts";
import { METRICS_PATH } from "../../src/server/metrics/metrics.ts";
import { createRouteTable } from "../../src/server/routeTable.ts";
import { exitCodes } from "../../src/util/start/exitCodes.ts";
import type { Contract, Promised } from "./contractBreaks.ts";

export function currentContract(): Contract {
  const { version } = JSON.parse(readFileSync(new URL("../../package.json", import.meta.url), "utf8")) as Contract;
  const codes = Object.keys(errorCodes) as ErrorCode[];
  return {
    version,
    variables: mapValues(variables, variablePromise),
    metrics: Object.fromEntries(
      Object.values(catalogue).map(({ name, type, labels }) => [name, { type, labels: labels.map(String).toSorted() }]),
    ),
    errorCodes: Object.fromEntries(codes.map((code) => [code, errorPromise(code)])),
    exitCodes: mapValues(exitCodes, (code) => ({ code })),
    addresses: Object.fromEntries([...paths(), METRICS_PATH].sort().map((path) => [path, {}])),
    scopes: Object.fromEntries(scopes.map((scope) => [scope, {}])),
  };
}

const mapValues = <T>(all: Record<string, T>, promiseOf: (value: T) => Promised) =>
  Object.fromEntries(Object.entries(all).map(([name, value]) => [name, promiseOf(value)]));

function variablePromise(rule: z.ZodType): Promised {
  const result = rule.safeParse(undefined);
  const inner = unwrap(rule);
  const range = (inner.meta() ?? {}) as Pick<Promised, "min" | "max">;
  return {
    ...(result.success && result.data !== undefined ? { default: textOf(result.data) } : {}),
    ...(range.max === undefined ? {} : range),
    ...(inner instanceof z.ZodEnum ? { values: inner.options.map(String).toSorted() } : {}),
    ...(inner instanceof z.ZodLiteral ? { values: [...inner.values].map(String) } : {}),
  };
}

const textOf = (value: unknown) => (typeof value === "string" ? value : JSON.stringify(value));

function unwrap(rule: z.ZodType): z.ZodType {
  if (rule instanceof z.ZodDefault || rule instanceof z.ZodOptional) return unwrap(rule.unwrap() as z.ZodType);
  return rule;
}

function errorPromise(code: ErrorCode): Promised {
  const { retryable } = new CodedError(code, "");
  return retryable === undefined ? {} : { retryable };
}

/** The addresses with the default of WEBHOOK_PATH. */
function paths(): readonly string[] {
  const handle = () => undefined;
  const deps = { graphql: handle, session: handle, webhook: handle, recordings: handle, client: handle, docs: handle, mcp: handle, mcpMetadata: handle };
  const health = { isReady: () => Promise.resolve(true), degradedBy: () => null };
  const webhookPath = variables.WEBHOOK_PATH.parse(undefined);
  return createRouteTable(
    { ...deps, ...health, webhookPath, console: { page: handle, asset: handle, unknown: handle } },
    () => false,
  ).paths;
}
