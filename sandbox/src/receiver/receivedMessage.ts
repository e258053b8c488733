// What the receiver keeps of a message.

/** What is said of a signature. `old`: a right one of more than five minutes ago. `none`: the message is not signed. */
export type Verdict = "right" | "wrong" | "old" | "none";

export interface ReceivedMessage {
  /** Real epoch ms. */
  at: number;
  /** The header webhook-id; null: it has none. */
  id: string | null;
  signature: Verdict;
  /** A message with the same id came before, and was taken. */
  isRepeat: boolean;
  /** What the receiver answered. */
  status: number;
  body: string;
}
