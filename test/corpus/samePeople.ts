// Two writings of one person's number, which must not be called twice. The numbers are of ranges that nobody can have.

/** `source`: where people met the two writings as two contacts, or where the form is explained. */
export interface SamePerson {
  one: string;
  other: string;
  source: string;
}

const github = (path: string) => `https://github.com/${path}`;

export const samePeople: readonly SamePerson[] = [
  { one: "13800010001", other: "+8613800010001", source: github("morenoh149/react-native-contacts/pull/353") },
  { one: "13800010001", other: "8613800010001", source: github("morenoh149/react-native-contacts/pull/353") },
  { one: "021-12345678", other: "+86 21 12345678", source: github("jlippold/WifiSMS/issues/19") },
  { one: "33612345678", other: "+33612345678", source: github("glific/glific/issues/5400") },
  { one: "33612345678", other: "06 12 34 56 78", source: github("glific/glific/issues/5400") },
  { one: "33612345678", other: "612345678", source: github("glific/glific/issues/5400") },
  { one: "918888800042", other: "+918888800042", source: github("glific/glific/issues/5400") },
  { one: "2025550101", other: "+1 202 555 0101", source: github("ragibson/SMS-MMS-deduplication/issues/4") },
  { one: "2025550101", other: "12025550101", source: github("ragibson/SMS-MMS-deduplication/issues/4") },
  { one: "+13800010001", other: "13800010001", source: github("morenoh149/react-native-contacts/pull/353") },
  { one: "011 86 13800010001", other: "13800010001", source: github("morenoh149/react-native-contacts/pull/353") },
  { one: "0011 86 13800010001", other: "+8613800010001", source: "own" },
  { one: "17951 13800010001", other: "+8613800010001", source: "own" },
  { one: "*31#13800010001", other: "8613800010001", source: "own" },
  { one: "+44 (0)7700 900700", other: "07700900700", source: github("SimpleMobileTools/Simple-Dialer/issues/667") },
  { one: "8 (916) 000-45-67", other: "+7 916 000 45 67", source: github("whisperfish/rust-phonenumber/issues/76") },
  { one: "8 (916) 000-45-67", other: "9160004567", source: github("whisperfish/rust-phonenumber/issues/76") },
  { one: "8 029 000-45-67", other: "+375 29 0004567", source: github("floere/phony/issues/277") },
  { one: "06 30 000 4567", other: "+36 30 000 4567", source: github("google/libphonenumber/issues/647") },
  { one: "021-12345678转801", other: "+86 21 12345678 ext. 801", source: github("jlippold/WifiSMS/issues/19") },
  { one: "13800010006", other: "13800010006 (2)", source: "own" },
  { one: "13800010006", other: "+86 138 0001 0006-2", source: "own" },
  { one: "13800010006", other: "138-0001-0006-2", source: "own" },
  { one: "13800010006,,5", other: "13800010006;2", source: "own" },
  { one: "13800010006", other: "13800010006#2", source: "own" },
  { one: "A068", other: "a068", source: "own" },
  { one: "10086", other: "100-86", source: "own" },
];
