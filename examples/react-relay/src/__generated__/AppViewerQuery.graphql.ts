/**
 * @generated SignedSource<<7d08bf99ffd30ad8839cdc31386e6876>>
 * @lightSyntaxTransform
 */

/* tslint:disable */
/* eslint-disable */
// @ts-nocheck

import type { ConcreteRequest } from 'relay-runtime';
export type AppViewerQuery$variables = Record<PropertyKey, never>;
export type AppViewerQuery$data = {
  readonly viewer: {
    readonly name: string;
    readonly scopes: ReadonlyArray<string>;
  };
};
export type AppViewerQuery = {
  response: AppViewerQuery$data;
  variables: AppViewerQuery$variables;
};

const node: ConcreteRequest = (function(){
var v0 = [
  {
    "alias": null,
    "args": null,
    "concreteType": "Viewer",
    "kind": "LinkedField",
    "name": "viewer",
    "plural": false,
    "selections": [
      {
        "alias": null,
        "args": null,
        "kind": "ScalarField",
        "name": "name",
        "storageKey": null
      },
      {
        "alias": null,
        "args": null,
        "kind": "ScalarField",
        "name": "scopes",
        "storageKey": null
      }
    ],
    "storageKey": null
  }
];
return {
  "fragment": {
    "argumentDefinitions": [],
    "kind": "Fragment",
    "metadata": null,
    "name": "AppViewerQuery",
    "selections": (v0/*:: as any*/),
    "type": "Query",
    "abstractKey": null
  },
  "kind": "Request",
  "operation": {
    "argumentDefinitions": [],
    "kind": "Operation",
    "name": "AppViewerQuery",
    "selections": (v0/*:: as any*/)
  },
  "params": {
    "cacheID": "fa0cf4d331196b3b9dae53ed724a1aae",
    "id": null,
    "metadata": {},
    "name": "AppViewerQuery",
    "operationKind": "query",
    "text": "query AppViewerQuery {\n  viewer {\n    name\n    scopes\n  }\n}\n"
  }
};
})();

(node as any).hash = "158e7540dca8db58c53d56944139d5d0";

export default node;
