import { postgres, sqlite } from "../store/databases.ts";
import { followContract } from "./followContract.ts";

followContract(sqlite);
followContract(postgres);
