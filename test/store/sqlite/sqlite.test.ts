import { storeContract } from "../contract.ts";
import { sqlite } from "../databases.ts";

storeContract(sqlite);
