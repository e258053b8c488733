// Answers as data, and the refusals: every error has the body {code, msg}. service.md 7 shows none of this.
import { writeJson } from "./bigintJson.ts";

export interface Answer {
  status: number;
  headers: Record<string, string>;
  body: string | Uint8Array;
}

/** Thrown where a request is found wrong; becomes the answer `status` with `{code, msg}`. */
export class Refusal extends Error {
  readonly status: number;
  readonly headers: Record<string, string>;
  constructor(status: number, message: string, headers: Record<string, string> = {}) {
    super(message);
    this.name = "Refusal";
    this.status = status;
    this.headers = headers;
  }
}

export function json(status: number, value: unknown, headers: Record<string, string> = {}): Answer {
  return { status, headers: { "content-type": "application/json; charset=utf-8", ...headers }, body: writeJson(value) };
}

/** 200 without a body: what a created task is answered with (service.md 4.3). */
export const text = (status: number, body: string): Answer => ({
  status,
  headers: { "content-type": "text/plain; charset=utf-8" },
  body,
});

export const empty = (): Answer => ({ status: 200, headers: {}, body: "" });

export function problem(status: number, msg: string, headers: Record<string, string> = {}): Answer {
  return json(status, { code: status * 100, msg }, headers);
}
