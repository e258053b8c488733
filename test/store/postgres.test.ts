import { storeContract } from "./contract.ts";
import { postgres } from "./databases.ts";

storeContract(postgres);
