import { expect, it } from "vitest";
import { lastingGrant } from "../../../src/auth/grant.ts";
import { openSubscription } from "../../../src/graphql/subscriptions/subscription.ts";
import { unrestricted } from "../../../src/auth/viewerPolicy.ts";

it("rejects the waiting call of next() if the subscriber's own reader fails", async () => {
  const failure = new Error("The reader failed.");
  let ended = 0;
  const results = await openSubscription<object>({
    read: async () => ({
      next: () => Promise.reject(failure),
      return: async () => ({ done: true, value: undefined }),
      [Symbol.asyncIterator]() {
        return this;
      },
    }),
    handoff: null,
    grant: lastingGrant({ name: "web", scopes: new Set(), ...unrestricted }),
    checkRights: () => null,
    enter: () => () => (ended += 1),
  });
  if (!(Symbol.asyncIterator in results)) throw new Error("the subscription was refused");
  await expect(results.next()).rejects.toBe(failure);
  await results.return?.();
  expect(ended).toBe(1);
});
