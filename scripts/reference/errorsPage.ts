// docs/reference/errors.md: each code with its messages, so that a search for a message finds its code.
import { CodedError, errorCodes, type ErrorCode } from "../../src/errors.ts";
import { schema } from "../../src/schema/schema.ts";
import { code, head, page, table } from "./markdown.ts";
import { findMessages } from "./messages.ts";

export function errorsPage(): string {
  const messages = findMessages();
  const taskCodes = schema.getType("CreateTaskErrorCode");
  const outcomes = taskCodes && "getValues" in taskCodes ? taskCodes.getValues() : [];
  const part = (name: string, meaning: string, more: string) => [
    `### ${name}`,
    `${meaning}${more}`,
    [...(messages.get(name) ?? [])].map(([message, status]) => `- ${code(message)} ${status}`.trim()).join("\n"),
  ];
  return page(
    head("Errors and their messages", "Every code with the messages that come with it."),
    "Search this page for the words of a message. “…” stands for what varies, such as the rule that a phone number breaks: these rules are " +
      "with [`INVALID_INPUT`](#invalid_input). Messages may change: let programs look at the code alone.",
    "A number behind a message is the HTTP status of the whole answer; for `application/json` some of them are 200 " +
      "([errors.md](../errors.md#http-statuses)). Without a number it is an error of a field, beside the data of other fields, with 200. " +
      "[frontends/errors.md](../frontends/errors.md) says what a page does about each code.",
    table(
      ["Code", "Meaning", "Again?"],
      Object.entries(errorCodes).map(([name, meaning]) => [
        `[${code(name)}](#${name.toLowerCase()})`,
        meaning,
        retryOf(name),
      ]),
    ),
    "## Codes of errors",
    ...Object.entries(errorCodes).flatMap(([name, meaning]) => part(name, meaning, OTHERS[name] ?? "")),
    "## Codes of createTask, approveTask and declineTask",
    "These are data, in `errors { code message path }`. Most messages stand behind the last name of `path`: `retryCount must not be negative`. " +
      "[creating-tasks.md](../creating-tasks.md#the-answer) says what to do.",
    ...outcomes.flatMap(({ name, description }) => part(name, description ?? "", "")),
  );
}

/** Whether the error says that it may succeed later. */
function retryOf(name: string): string {
  const { retryable } = new CodedError(name as ErrorCode, "");
  if (name.endsWith("RATE_LIMITED")) return "after `retryAfter` seconds";
  return retryable === undefined ? "" : retryable ? "yes" : "no";
}

/** Codes with messages that are not in the sources of the gateway. */
const OTHERS: Readonly<Record<string, string>> = {
  GRAPHQL_PARSE_FAILED:
    " The messages are those of graphql-js, without the values of the document, such as `Syntax Error: Expected Name, found <EOF>.`",
  GRAPHQL_VALIDATION_FAILED:
    " The messages are those of graphql-js. Where `INTROSPECTION` is off, names are `<redacted>`.",
  INTERNAL: " `The gateway failed. Its log has the cause under the request's ID.`",
};
