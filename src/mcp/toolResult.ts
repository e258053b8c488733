// The answer of a tool: the fields of its operation as structured content, and the same as text for clients that read nothing else.
// Texts of the service are data there and nowhere else, and their lengths are bounded: an agent reads every word that it is given.
import type { ExecutionResult } from "graphql";
import { isErrorCode, type ErrorCode } from "../errors.ts";
import { parseUnrounded } from "../format/exactJson.ts";
import { jsonOf } from "../server/graphql/writeJson.ts";
import { errorAdvice } from "./errorAdvice.ts";
import type { ObjectSchema } from "./inputSchema.ts";

/** As the protocol has it. */
export interface ToolAnswer {
  [member: string]: unknown;
  content: { type: "text"; text: string }[];
  /** Missing in an error: some clients compare it with the schema of a success even then. */
  structuredContent?: Record<string, unknown>;
  isError?: boolean;
}

/** Clients keep about as much of an answer, and cut or refuse the rest. It is in the answer twice, as content and as text. */
const MAX_ANSWER_BYTES = 256 * 1024;
/** Characters of one text. */
const MAX_TEXT_LENGTH = 4000;
/** Characters of the message of an error: it may quote what a client sent. */
const MAX_MESSAGE_LENGTH = 1000;
/** Errors of one answer: a list whose every row fails has as many as rows. */
const MAX_ERRORS = 20;

export interface AgentError {
  code: ErrorCode;
  message: string;
  whatToDo: string;
  path?: readonly (string | number)[];
  [extension: string]: unknown;
}

const ERRORS: ObjectSchema = {
  type: "object",
  properties: {
    code: { type: "string" },
    message: { type: "string" },
    whatToDo: { type: "string" },
  },
  required: ["code", "message", "whatToDo"],
  additionalProperties: true,
};

/** The schema of the structured content of an answer. */
export function answerSchemaOf(data: ObjectSchema, proposes: boolean): ObjectSchema {
  return {
    ...data,
    properties: {
      ...data.properties,
      errors: { type: "array", items: ERRORS, description: "Why fields of this answer are null." },
      moreErrors: {
        type: "integer",
        description: `How many errors there are beside the ${MAX_ERRORS} that are listed.`,
      },
      shortened: {
        type: "array",
        items: { type: "string" },
        description: `Where texts of this answer were cut after ${MAX_TEXT_LENGTH} characters.`,
      },
      ...(proposes && {
        approveAt: {
          type: ["string", "null"],
          description: "The page on which a person approves or declines it. Give it to the person.",
        },
      }),
    },
  };
}

/** Where the answer of a proposing tool has its proposal. */
export interface ProposalPlace {
  /** The console's page of proposals. Null: the gateway serves no console. */
  page: string | null;
  proposalPath: ProposalPath;
}

/** Keys in the answer. "not selected": the operation does not ask which proposal it is. */
export type ProposalPath = { submission: readonly string[]; id: string; status: string } | "not selected";

export function answerOf(result: ExecutionResult, proposal: ProposalPlace | null = null): ToolAnswer {
  const json = jsonOf(result);
  // Before more is made of it. Answers that pass are measured once more as they are sent.
  if (Buffer.byteLength(json) > MAX_ANSWER_BYTES) return tooLarge();
  const { data, errors: found = [] } = parseUnrounded(json) as {
    data?: Record<string, unknown> | null;
    errors?: JsonError[];
  };
  const errors = found.slice(0, MAX_ERRORS).map(agentErrorOf);
  const isNothing = !data || Object.values(data).every((value) => value === null);
  const moreErrors = found.length - errors.length;
  if (errors.length > 0 && (isNothing || !data)) return failure(errors, moreErrors);
  const shortened: string[] = [];
  const structuredContent = {
    ...(shorten(data ?? {}, [], shortened) as Record<string, unknown>),
    ...(errors.length > 0 && { errors }),
    ...(moreErrors > 0 && { moreErrors }),
    ...(shortened.length > 0 && { shortened }),
    ...(proposal && { approveAt: approveAtOf(data ?? {}, proposal) }),
  };
  const answer = { content: textOf(structuredContent), structuredContent };
  return Buffer.byteLength(JSON.stringify(answer)) > MAX_ANSWER_BYTES ? tooLarge() : answer;
}

const textOf = (value: object): ToolAnswer["content"] => [{ type: "text", text: JSON.stringify(value) }];

const tooLarge = (): ToolAnswer =>
  failure([
    agentError(
      "QUERY_TOO_COMPLEX",
      `The answer is over ${MAX_ANSWER_BYTES / 1024} KiB, where it counts twice: as structured content and as text.`,
    ),
  ]);

/** Null where nothing waits. */
function approveAtOf(data: object, { page, proposalPath }: ProposalPlace): string | null {
  if (page === null || proposalPath === "not selected") return page;
  let found: unknown = data;
  for (const name of proposalPath.submission) found = (found as Record<string, unknown> | null)?.[name];
  const submission = found as Record<string, unknown> | null | undefined;
  const id = submission?.[proposalPath.id];
  const isWaiting = submission?.[proposalPath.status] === "PROPOSED";
  return isWaiting && typeof id === "string" ? `${page}?submission=${encodeURIComponent(id)}` : null;
}

/** `moreErrors`: how many are not among them. */
export function failure(errors: readonly AgentError[], moreErrors = 0): ToolAnswer {
  const listed = errors.slice(0, MAX_ERRORS);
  const more = moreErrors + errors.length - listed.length;
  return { content: textOf({ errors: listed, ...(more > 0 && { moreErrors: more }) }), isError: true };
}

export function agentError(code: ErrorCode, message: string): AgentError {
  return { code, message: cutText(message, MAX_MESSAGE_LENGTH), whatToDo: errorAdvice[code] };
}

interface JsonError {
  message: string;
  path?: (string | number)[];
  extensions?: Record<string, unknown>;
}

function agentErrorOf({ message, path, extensions = {} }: JsonError): AgentError {
  const { code, ...others } = extensions;
  const known = isErrorCode(code) ? code : "INTERNAL";
  const own = shorten(others, [], []) as Record<string, unknown>;
  return { ...agentError(known, message), ...(path && { path }), ...own };
}

/** Not within a character. */
const cutText = (text: string, length: number): string =>
  text.length <= length ? text : text.slice(0, length).replace(/[\uD800-\uDBFF]$/, "");

/** `cut`: gets the place of each text that is cut. */
function shorten(value: unknown, path: readonly (string | number)[], cut: string[]): unknown {
  if (typeof value === "string") {
    if (value.length <= MAX_TEXT_LENGTH) return value;
    cut.push(path.join("."));
    return cutText(value, MAX_TEXT_LENGTH);
  }
  if (Array.isArray(value)) return value.map((item, at) => shorten(item, [...path, at], cut));
  if (typeof value !== "object" || value === null) return value;
  const members = Object.entries(value).map(([name, member]) => [name, shorten(member, [...path, name], cut)]);
  return Object.fromEntries(members) as object;
}
