// Reads the tools that agents are offered: those of the gateway, and those in the operator's folder (MCP_OPERATIONS). All are checked
// when the gateway starts, before an agent asks for one.
import { statSync } from "node:fs";
import { readdir } from "node:fs/promises";
import { basename, join } from "node:path";
import { fileURLToPath } from "node:url";
import type { FieldNode, GraphQLSchema } from "graphql";
import { ConfigError } from "../config/readVariables.ts";
import { createDocumentCache } from "../graphql/documents/documentCache.ts";
import { DOCUMENT_LIMITS } from "../graphql/documents/documentLimits.ts";
import { createGraphqlErrors } from "../graphql/graphqlErrors.ts";
import { namesOf } from "../graphql/publicMessages.ts";
import { extensionsOf } from "../schema/extensions.ts";
import { readTextFileSync } from "../util/textFile.ts";
import type { AllowableScope } from "./agentViewer.ts";
import { collectedSchema, WAITING } from "./collectItems.ts";
import { inputSchemaOf, type ObjectSchema } from "./inputSchema.ts";
import { createIsAllowed, type IsAllowed } from "./neededScopes.ts";
import { dataSchemaOf } from "./outputSchema.ts";
import { readToolDocument, type ToolDocument } from "./toolDocument.ts";
import { answerSchemaOf, type ProposalPath } from "./toolResult.ts";
import {
  allowableFields,
  fieldsOf,
  FREE_MUTATIONS,
  NEVER_ALLOWED,
  problemsOf,
  rootFields,
  type ToolRules,
} from "./toolRules.ts";

/** The effects of a tool, for its client. */
export interface ToolHints {
  readOnlyHint: boolean;
  destructiveHint: boolean;
  idempotentHint: boolean;
  /** False: it reaches nobody outside of the gateway and its service. */
  openWorldHint: boolean;
}

export interface AgentTool {
  document: ToolDocument;
  inputSchema: ObjectSchema;
  outputSchema: ObjectSchema;
  hints: ToolHints;
  isAllowed: IsAllowed;
  /** What MCP_ALLOW leaves to this tool, because it has the operations that need it. */
  allowedScopes: ReadonlySet<AllowableScope>;
  /** Whether it is a subscription to the log, whose results tell where they are. */
  followsLog: boolean;
  /** Where its proposal is in the answer. Null: it makes none. */
  proposalPath: ProposalPath | null;
}

export interface ReadToolsOptions {
  schema: GraphQLSchema;
  introspection: boolean;
  /** Null: the operator has no tools of its own. */
  folder: string | null;
  /** MCP_ALLOW: names of root fields. */
  allow: readonly string[];
}

const OWN_FOLDER = fileURLToPath(new URL("tools", import.meta.url));
const EXTENSION = ".graphql";
const MAX_TOOLS = 200;
const MAX_FILE_BYTES = 64 * 1024;

/** By their names. Throws a ConfigError that names every file that cannot be a tool. */
export async function readTools(options: ReadToolsOptions): Promise<ReadonlyMap<string, AgentTool>> {
  const { schema, introspection, folder, allow } = options;
  const streams = schema.getSubscriptionType()?.getFields() ?? {};
  const rules: ToolRules = {
    allowable: allowableFields(schema),
    allowed: new Set(allow),
    followsLog: (name) => streams[name] !== undefined && extensionsOf(streams[name]).logContent !== undefined,
  };
  const isAllowable = (name: string) => rules.allowable.has(name) && !NEVER_ALLOWED.has(name);
  const problems = allow.filter((name) => !isAllowable(name)).map(whyNotAllowable);
  const protocolErrors = createGraphqlErrors(namesOf(schema), false);
  const maxTokens = DOCUMENT_LIMITS.tokens;
  const { check } = createDocumentCache({ schema, introspection, maxTokens, protocolErrors });
  const files = [...(await filesIn(OWN_FOLDER)), ...(folder === null ? [] : await operatorFiles(folder))];
  if (files.length > MAX_TOOLS) problems.push(`MCP_OPERATIONS has more than ${MAX_TOOLS} tools`);
  const tools = new Map<string, AgentTool>();
  for (const file of files) {
    const place = `MCP_OPERATIONS: ${JSON.stringify(basename(file))}`;
    const document = readFile(file);
    if (typeof document === "string") {
      problems.push(`${place} ${document}`);
      continue;
    }
    const checked = check(document.text);
    const invalid = "errors" in checked ? [`cannot run: ${checked.errors[0]?.message}`] : problemsOf(document, rules);
    const isTaken = tools.has(document.name) ? [`names its tool ${document.name}, as another file does`] : [];
    const own = [...invalid, ...isTaken].map((problem) => `${place} ${problem}`);
    problems.push(...own);
    if (own.length === 0) tools.set(document.name, createTool(document, schema, rules));
  }
  if (problems.length > 0) throw new ConfigError(problems);
  return tools;
}

function whyNotAllowable(name: string): string {
  const reason = NEVER_ALLOWED.get(name);
  if (reason !== undefined) return `MCP_ALLOW cannot name ${name}: ${reason}`;
  return `MCP_ALLOW names ${JSON.stringify(name.slice(0, 80))}, which is no operation that it could allow`;
}

function createTool(document: ToolDocument, schema: GraphQLSchema, { allowable, followsLog }: ToolRules): AgentTool {
  const { operation } = document;
  const roots = rootFields(document.document, operation).map(({ name }) => name.value);
  const proposalPath = proposalPathOf(document);
  const data = dataSchemaOf(document.document, operation, schema);
  const isCollected = operation.operation === "subscription";
  return {
    document,
    inputSchema: inputSchemaOf(document, schema, isCollected ? WAITING : {}),
    outputSchema: answerSchemaOf(isCollected ? collectedSchema(data) : data, proposalPath !== null),
    hints: { ...hintsOf(document), openWorldHint: false },
    isAllowed: createIsAllowed(document, schema),
    allowedScopes: new Set(roots.flatMap((name) => allowable.get(name) ?? [])),
    followsLog: isCollected && roots.some(followsLog),
    proposalPath,
  };
}

function readFile(file: string): ToolDocument | string {
  try {
    // A named pipe would keep the start waiting for somebody who writes.
    if (!statSync(file).isFile()) return "is no file";
    return readToolDocument(readTextFileSync(file, MAX_FILE_BYTES));
  } catch (error) {
    return (error as Error).message;
  }
}

function proposalPathOf({ document, operation }: ToolDocument): ProposalPath | null {
  const created = rootFields(document, operation).find(({ name }) => name.value === "createTask");
  if (!created) return null;
  const submission = fieldsOf(created, document).find(({ name }) => name.value === "submission");
  const selected = submission ? fieldsOf(submission, document) : [];
  const [id, status] = ["id", "status"].map((member) => selected.find(({ name }) => name.value === member));
  if (!submission || !id || !status) return "not selected";
  return { submission: [created, submission].map(keyOf), id: keyOf(id), status: keyOf(status) };
}

const keyOf = ({ alias, name }: FieldNode): string => (alias ?? name).value;

function hintsOf({ document, operation, destructive, idempotent }: ToolDocument): Omit<ToolHints, "openWorldHint"> {
  const names = rootFields(document, operation).flatMap(({ name }) => (name.value === "__typename" ? [] : name.value));
  const isReading = operation.operation !== "mutation" || names.every((name) => name === "checkTask");
  if (isReading) return { readOnlyHint: true, destructiveHint: false, idempotentHint: true };
  // A proposal adds something that a person decides on, and its key makes a repeat harmless.
  const isFree = names.every((name) => FREE_MUTATIONS.has(name));
  return {
    readOnlyHint: false,
    destructiveHint: destructive ?? !isFree,
    idempotentHint: idempotent ?? isFree,
  };
}

async function filesIn(folder: string): Promise<string[]> {
  const names = await readdir(folder);
  return names
    .filter((name) => name.endsWith(EXTENSION))
    .sort()
    .map((name) => join(folder, name));
}

async function operatorFiles(folder: string): Promise<string[]> {
  const files = await filesIn(folder).catch((error: NodeJS.ErrnoException) => {
    throw new ConfigError([`MCP_OPERATIONS cannot be read as a folder: ${error.code}`]);
  });
  if (files.length === 0) throw new ConfigError([`MCP_OPERATIONS has no file whose name ends in ${EXTENSION}`]);
  return files;
}
