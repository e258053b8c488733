/**
 * @generated SignedSource<<912341ed01eebb94e6bdf8428f7fdd36>>
 * @lightSyntaxTransform
 */

/* tslint:disable */
/* eslint-disable */
// @ts-nocheck

import type { ConcreteRequest } from 'relay-runtime';
export type CreateTaskErrorCode = "APPROVED" | "DECLINED" | "DO_NOT_CALL" | "EXPIRED" | "IDEMPOTENCY_CONFLICT" | "INVALID_INPUT" | "LIMIT_EXCEEDED" | "NOBODY_TO_CALL" | "NOT_ALLOWED" | "NOT_PROPOSED" | "OWN_PROPOSAL" | "REJECTED" | "STILL_CALLING" | "TOO_MANY_PROPOSALS" | "UNAVAILABLE" | "%future added value";
export type Language = "EN" | "JP" | "ZH" | "%future added value";
export type RecipientOutcome = "BUSY" | "FAILED" | "NO_ANSWER" | "OTHER" | "REACHED" | "REJECTED" | "%future added value";
export type SubmissionStatus = "ACCEPTED" | "DECLINED" | "EXPIRED" | "PENDING" | "PROPOSED" | "REJECTED" | "RESOLVED" | "UNCONFIRMED" | "%future added value";
export type CreateTaskInput = {
  assistantId: string;
  assistantOverride?: AssistantOverrideInput | null;
  from?: CallAgainInput | null;
  idempotencyKey: string;
  name: string;
  numbers?: ReadonlyArray<TaskNumberInput> | null;
  option: CreateTaskOptionInput;
  skipDoNotCall?: boolean | null;
};
export type AssistantOverrideInput = {
  globalConfig?: AssistantGlobalConfigInput | null;
  speakerId?: string | null;
};
export type AssistantGlobalConfigInput = {
  language?: Language | null;
  prompt?: string | null;
  welcome?: string | null;
};
export type CallAgainInput = {
  filter?: RecipientFilter | null;
  taskId: string;
};
export type RecipientFilter = {
  maxAttempts?: number | null;
  minAttempts?: number | null;
  minTalkTime?: number | null;
  outcome?: ReadonlyArray<RecipientOutcome> | null;
  reasons?: ReadonlyArray<string | null> | null;
  since?: string | null;
  until?: string | null;
};
export type TaskNumberInput = {
  extra?: Record<string, unknown> | null;
  number: string;
};
export type CreateTaskOptionInput = {
  lineIds: ReadonlyArray<string>;
  numberFileMeta: CreateNumberFileMetaInput;
  periods: ReadonlyArray<ReadonlyArray<string>>;
  retryCount: number;
  retryIntervalSeconds: number;
  startDate: string;
};
export type CreateNumberFileMetaInput = {
  gender: number;
  name: number;
  number: number;
  salesPersonName: number;
};
export type NewTaskMutation$variables = {
  input: CreateTaskInput;
};
export type NewTaskMutation$data = {
  readonly createTask: {
    readonly errors: ReadonlyArray<{
      readonly code: CreateTaskErrorCode;
      readonly message: string;
      readonly path: ReadonlyArray<string>;
    }>;
    readonly replayed: boolean;
    readonly submission: {
      readonly id: string;
      readonly status: SubmissionStatus;
    } | null;
  } | null;
};
export type NewTaskMutation = {
  response: NewTaskMutation$data;
  variables: NewTaskMutation$variables;
};

const node: ConcreteRequest = (function(){
var v0 = [
  {
    "defaultValue": null,
    "kind": "LocalArgument",
    "name": "input"
  }
],
v1 = [
  {
    "alias": null,
    "args": [
      {
        "kind": "Variable",
        "name": "input",
        "variableName": "input"
      }
    ],
    "concreteType": "CreateTaskPayload",
    "kind": "LinkedField",
    "name": "createTask",
    "plural": false,
    "selections": [
      {
        "alias": null,
        "args": null,
        "kind": "ScalarField",
        "name": "replayed",
        "storageKey": null
      },
      {
        "alias": null,
        "args": null,
        "concreteType": "TaskSubmission",
        "kind": "LinkedField",
        "name": "submission",
        "plural": false,
        "selections": [
          {
            "alias": null,
            "args": null,
            "kind": "ScalarField",
            "name": "id",
            "storageKey": null
          },
          {
            "alias": null,
            "args": null,
            "kind": "ScalarField",
            "name": "status",
            "storageKey": null
          }
        ],
        "storageKey": null
      },
      {
        "alias": null,
        "args": null,
        "concreteType": "CreateTaskError",
        "kind": "LinkedField",
        "name": "errors",
        "plural": true,
        "selections": [
          {
            "alias": null,
            "args": null,
            "kind": "ScalarField",
            "name": "code",
            "storageKey": null
          },
          {
            "alias": null,
            "args": null,
            "kind": "ScalarField",
            "name": "message",
            "storageKey": null
          },
          {
            "alias": null,
            "args": null,
            "kind": "ScalarField",
            "name": "path",
            "storageKey": null
          }
        ],
        "storageKey": null
      }
    ],
    "storageKey": null
  }
];
return {
  "fragment": {
    "argumentDefinitions": (v0/*:: as any*/),
    "kind": "Fragment",
    "metadata": null,
    "name": "NewTaskMutation",
    "selections": (v1/*:: as any*/),
    "type": "Mutation",
    "abstractKey": null
  },
  "kind": "Request",
  "operation": {
    "argumentDefinitions": (v0/*:: as any*/),
    "kind": "Operation",
    "name": "NewTaskMutation",
    "selections": (v1/*:: as any*/)
  },
  "params": {
    "cacheID": "5dce941d9469f5345715cfc746fd1474",
    "id": null,
    "metadata": {},
    "name": "NewTaskMutation",
    "operationKind": "mutation",
    "text": "mutation NewTaskMutation(\n  $input: CreateTaskInput!\n) {\n  createTask(input: $input) {\n    replayed\n    submission {\n      id\n      status\n    }\n    errors {\n      code\n      message\n      path\n    }\n  }\n}\n"
  }
};
})();

(node as any).hash = "5a7f54ff30ca3c1fbaa6ad5115352825";

export default node;
