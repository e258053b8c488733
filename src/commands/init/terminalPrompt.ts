// Asks on a terminal. What is typed for a secret is not shown. Ctrl C and the end of the input end the asking.
import { createInterface } from "node:readline";
import { Writable } from "node:stream";
import { FinalError } from "../../util/start/finalError.ts";

export interface TerminalPrompt extends Disposable {
  /** Resolves with the line. Rejects with a FinalError where the person cancels. */
  ask(question: string): Promise<string>;
  askHidden(question: string): Promise<string>;
  tell(text: string): void;
}

/** As a shell has it after SIGINT. */
const CANCELLED = 130;

export function openTerminalPrompt(input: NodeJS.ReadStream, output: NodeJS.WriteStream): TerminalPrompt {
  let isHidden = false;
  const shown = new Writable({
    write(chunk: Buffer, _encoding, done) {
      if (!isHidden) output.write(chunk);
      done();
    },
  });
  const lines = createInterface({ input, output: shown, terminal: true });
  const cancelled = Promise.withResolvers<never>();
  // Nobody waits for it between two questions.
  cancelled.promise.catch(() => undefined);
  const cancel = () => cancelled.reject(new FinalError("Cancelled: nothing was written.", { exitCode: CANCELLED }));
  lines.on("SIGINT", cancel).on("close", cancel);

  async function ask(question: string): Promise<string> {
    const answered = new Promise<string>((resolve) => lines.question(question, resolve));
    return Promise.race([answered, cancelled.promise]);
  }
  return {
    ask,
    async askHidden(question) {
      output.write(question);
      isHidden = true;
      try {
        return await ask("");
      } finally {
        isHidden = false;
        output.write("\n");
      }
    },
    tell: (text) => void output.write(text),
    [Symbol.dispose]() {
      lines.close();
    },
  };
}
