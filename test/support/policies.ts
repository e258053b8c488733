// Policies of tokens without TOKEN_POLICY_FILE.
import { createTokenPolicies } from "../../src/auth/tokenPolicies.ts";
import { createCombinePolicies } from "../../src/auth/viewerPolicy.ts";

export const combine = createCombinePolicies();
export const policies = createTokenPolicies(null, combine);
