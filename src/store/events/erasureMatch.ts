/** Recognises what holds a person's number. */
export interface ErasureMatch {
  /** As it was given. */
  number: string;
  /** `data`: an entry of the log, as JSON. */
  event(data: string): boolean;
  /** `body`: a delivery in quarantine or a raw one, byte by byte. */
  delivery(body: Uint8Array): boolean;
  text(text: string): boolean;
  /** `line`: JSON, such as a line of the input of a proposal (proposalInput.ts). */
  inputLine(line: string): boolean;
}
