// Generated cases are the same in each run of `npm test`. With PROPERTY_SEED they are others: the matrix and the fuzzer search with new
// ones. A failure prints the seed that shows it again.
import { configureGlobal, readConfigureGlobal } from "fast-check";

const SEED = 20_260_801;

configureGlobal({ ...readConfigureGlobal(), seed: Number(process.env["PROPERTY_SEED"] ?? SEED) });
