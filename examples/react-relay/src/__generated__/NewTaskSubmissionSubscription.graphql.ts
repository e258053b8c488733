/**
 * @generated SignedSource<<8616df06a8974e6873d0af22bcf3e579>>
 * @lightSyntaxTransform
 */

/* tslint:disable */
/* eslint-disable */
// @ts-nocheck

import type { ConcreteRequest } from 'relay-runtime';
export type SubmissionStatus = "ACCEPTED" | "DECLINED" | "EXPIRED" | "PENDING" | "PROPOSED" | "REJECTED" | "RESOLVED" | "UNCONFIRMED" | "%future added value";
export type NewTaskSubmissionSubscription$variables = {
  id: string;
};
export type NewTaskSubmissionSubscription$data = {
  readonly taskSubmission: {
    readonly id: string;
    readonly status: SubmissionStatus;
    readonly taskId: string | null;
  } | null;
};
export type NewTaskSubmissionSubscription = {
  response: NewTaskSubmissionSubscription$data;
  variables: NewTaskSubmissionSubscription$variables;
};

const node: ConcreteRequest = (function(){
var v0 = [
  {
    "defaultValue": null,
    "kind": "LocalArgument",
    "name": "id"
  }
],
v1 = [
  {
    "alias": null,
    "args": [
      {
        "kind": "Variable",
        "name": "id",
        "variableName": "id"
      }
    ],
    "concreteType": "TaskSubmission",
    "kind": "LinkedField",
    "name": "taskSubmission",
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
      },
      {
        "alias": null,
        "args": null,
        "kind": "ScalarField",
        "name": "taskId",
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
    "name": "NewTaskSubmissionSubscription",
    "selections": (v1/*:: as any*/),
    "type": "Subscription",
    "abstractKey": null
  },
  "kind": "Request",
  "operation": {
    "argumentDefinitions": (v0/*:: as any*/),
    "kind": "Operation",
    "name": "NewTaskSubmissionSubscription",
    "selections": (v1/*:: as any*/)
  },
  "params": {
    "cacheID": "70eade200785fad6b0b73492e3ccf04f",
    "id": null,
    "metadata": {},
    "name": "NewTaskSubmissionSubscription",
    "operationKind": "subscription",
    "text": "subscription NewTaskSubmissionSubscription(\n  $id: ID!\n) {\n  taskSubmission(id: $id) {\n    id\n    status\n    taskId\n  }\n}\n"
  }
};
})();

(node as any).hash = "cb0bcc2e9778cde1c0095c6782f0a1d7";

export default node;
