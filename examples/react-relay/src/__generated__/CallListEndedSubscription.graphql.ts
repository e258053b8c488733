/**
 * @generated SignedSource<<65d95d2877a32b8a16ff1cb6c5bf6f81>>
 * @lightSyntaxTransform
 */

/* tslint:disable */
/* eslint-disable */
// @ts-nocheck

import type { ConcreteRequest } from 'relay-runtime';
export type CallDirection = "INBOUND" | "OUTBOUND" | "%future added value";
export type CallListEndedSubscription$variables = {
  after?: string | null;
};
export type CallListEndedSubscription$data = {
  readonly callEnded: {
    readonly answered: boolean | null;
    readonly assistants: ReadonlyArray<{
      readonly assistant: {
        readonly id: string;
        readonly name: string | null;
      } | null;
      readonly assistantId: string;
      readonly versionId: string;
    }>;
    readonly callee: string | null;
    readonly caller: string | null;
    readonly cursor: string;
    readonly direction: CallDirection | null;
    readonly endAt: string | null;
    readonly id: string;
    readonly sessionId: string;
    readonly startAt: string | null;
    readonly task: {
      readonly id: string;
      readonly name: string | null;
    } | null;
  };
};
export type CallListEndedSubscription = {
  response: CallListEndedSubscription$data;
  variables: CallListEndedSubscription$variables;
};

const node: ConcreteRequest = (function(){
var v0 = [
  {
    "defaultValue": null,
    "kind": "LocalArgument",
    "name": "after"
  }
],
v1 = {
  "alias": null,
  "args": null,
  "kind": "ScalarField",
  "name": "id",
  "storageKey": null
},
v2 = [
  (v1/*:: as any*/),
  {
    "alias": null,
    "args": null,
    "kind": "ScalarField",
    "name": "name",
    "storageKey": null
  }
],
v3 = [
  {
    "alias": null,
    "args": [
      {
        "kind": "Variable",
        "name": "after",
        "variableName": "after"
      }
    ],
    "concreteType": "CallEnded",
    "kind": "LinkedField",
    "name": "callEnded",
    "plural": false,
    "selections": [
      {
        "alias": null,
        "args": null,
        "kind": "ScalarField",
        "name": "cursor",
        "storageKey": null
      },
      (v1/*:: as any*/),
      {
        "alias": null,
        "args": null,
        "kind": "ScalarField",
        "name": "sessionId",
        "storageKey": null
      },
      {
        "alias": null,
        "args": null,
        "kind": "ScalarField",
        "name": "direction",
        "storageKey": null
      },
      {
        "alias": null,
        "args": null,
        "kind": "ScalarField",
        "name": "caller",
        "storageKey": null
      },
      {
        "alias": null,
        "args": null,
        "kind": "ScalarField",
        "name": "callee",
        "storageKey": null
      },
      {
        "alias": null,
        "args": null,
        "kind": "ScalarField",
        "name": "startAt",
        "storageKey": null
      },
      {
        "alias": null,
        "args": null,
        "kind": "ScalarField",
        "name": "endAt",
        "storageKey": null
      },
      {
        "alias": null,
        "args": null,
        "kind": "ScalarField",
        "name": "answered",
        "storageKey": null
      },
      {
        "alias": null,
        "args": null,
        "concreteType": "Task",
        "kind": "LinkedField",
        "name": "task",
        "plural": false,
        "selections": (v2/*:: as any*/),
        "storageKey": null
      },
      {
        "alias": null,
        "args": null,
        "concreteType": "CallAssistant",
        "kind": "LinkedField",
        "name": "assistants",
        "plural": true,
        "selections": [
          {
            "alias": null,
            "args": null,
            "kind": "ScalarField",
            "name": "assistantId",
            "storageKey": null
          },
          {
            "alias": null,
            "args": null,
            "kind": "ScalarField",
            "name": "versionId",
            "storageKey": null
          },
          {
            "alias": null,
            "args": null,
            "concreteType": "Assistant",
            "kind": "LinkedField",
            "name": "assistant",
            "plural": false,
            "selections": (v2/*:: as any*/),
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
    "name": "CallListEndedSubscription",
    "selections": (v3/*:: as any*/),
    "type": "Subscription",
    "abstractKey": null
  },
  "kind": "Request",
  "operation": {
    "argumentDefinitions": (v0/*:: as any*/),
    "kind": "Operation",
    "name": "CallListEndedSubscription",
    "selections": (v3/*:: as any*/)
  },
  "params": {
    "cacheID": "231a9acf3c757f148138c83a376a9663",
    "id": null,
    "metadata": {},
    "name": "CallListEndedSubscription",
    "operationKind": "subscription",
    "text": "subscription CallListEndedSubscription(\n  $after: String\n) {\n  callEnded(after: $after) {\n    cursor\n    id\n    sessionId\n    direction\n    caller\n    callee\n    startAt\n    endAt\n    answered\n    task {\n      id\n      name\n    }\n    assistants {\n      assistantId\n      versionId\n      assistant {\n        id\n        name\n      }\n    }\n  }\n}\n"
  }
};
})();

(node as any).hash = "ac3e383481184fe80443d7d7f9ed4ee7";

export default node;
