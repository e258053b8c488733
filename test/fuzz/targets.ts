// Every reader that the fuzzer feeds.

import { declaredTypeTarget, fileHeadTarget } from "./mediaTypes.ts";
import { phoneTarget } from "./phones.ts";
import type { Target } from "./target.ts";
import { tableTarget } from "./tables.ts";
import { timeTarget } from "./times.ts";
import { webhookTarget } from "./webhooks.ts";

export const targets: readonly Target[] = [
  phoneTarget,
  timeTarget,
  declaredTypeTarget,
  fileHeadTarget,
  tableTarget,
  webhookTarget,
];
