// The tests of the store that both databases must pass; sqlite.test.ts and postgres.test.ts run them.
import { appendContract } from "./contract/append.ts";
import { auditContract } from "./contract/audit.ts";
import { doNotCallContract } from "./contract/doNotCall.ts";
import { eraseContract } from "./contract/erase.ts";
import { erasedPeopleContract } from "./contract/erasedPeople.ts";
import { erasurePreviewContract } from "./contract/erasurePreview.ts";
import { leftTracesContract } from "./contract/leftTraces.ts";
import { filterContract } from "./contract/filter.ts";
import { keepContract } from "./contract/keep.ts";
import { knownContract } from "./contract/known.ts";
import { openContract } from "./contract/open.ts";
import { presenceContract } from "./contract/presence.ts";
import { proposalContract } from "./contract/proposals.ts";
import { purgeContract } from "./contract/purge.ts";
import { rawDeliveryContract } from "./contract/rawDeliveries.ts";
import { recordingContract } from "./contract/recordings.ts";
import { revisionContract } from "./contract/revisions.ts";
import { submissionContract } from "./contract/submissions.ts";
import { taskLookContract } from "./contract/taskLooks.ts";
import type { DatabaseUnderTest } from "./databases.ts";

export function storeContract(database: DatabaseUnderTest): void {
  appendContract(database);
  revisionContract(database);
  filterContract(database);
  presenceContract(database);
  purgeContract(database);
  eraseContract(database);
  erasedPeopleContract(database);
  erasurePreviewContract(database);
  leftTracesContract(database);
  auditContract(database);
  keepContract(database);
  knownContract(database);
  rawDeliveryContract(database);
  recordingContract(database);
  submissionContract(database);
  proposalContract(database);
  doNotCallContract(database);
  openContract(database);
  taskLookContract(database);
}
