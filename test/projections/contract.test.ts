import { createQueryOwner } from "../../src/store/scheduling/queryOwner.ts";
import type { Store } from "../../src/store/store.ts";
import { buildContract } from "./buildContract.ts";
import { projectionContract } from "./contract.ts";
import { recipientRule, recipientsIn } from "./projecting.ts";

async function attemptsIn({ recipients }: Store): Promise<number> {
  const { found } = await recipients.counts(createQueryOwner("test"), "7");
  return found.reduce((sum, { attempts }) => sum + attempts, 0);
}

const recipients = { rule: recipientRule, rows: (store: Store) => recipientsIn(store), size: attemptsIn };
projectionContract(recipients);
buildContract(recipients);
