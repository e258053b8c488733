// How the last attempt of a delivery ended.

export interface Answer {
  /** When, as RFC 3339 text. */
  at: string;
  /** Null: there was no answer. */
  status: number | null;
  /** What came back or went wrong, cut and masked. */
  text: string | null;
}

interface AnswerColumns {
  last_at: string | null;
  last_status: number | null;
  last_answer: string | null;
}

export const columnsOf = ({ at, status, text }: Answer) => ({ last_at: at, last_status: status, last_answer: text });

/** Null: no attempt was made. */
export function answerOf({ last_at: at, last_status: status, last_answer: text }: AnswerColumns): Answer | null {
  return at === null ? null : { at, status, text };
}
