import { postgres, sqlite } from "../store/databases.ts";
import { alertContract, sharedAlertContract } from "./contract.ts";

alertContract(sqlite);
alertContract(postgres);
sharedAlertContract(postgres);
