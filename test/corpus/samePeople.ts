// Two writings of one person's number, which must not be called twice. The numbers are of ranges that nobody can have.

/** `source`: where people met the two writings as two contacts, or where the form is explained. */
export interface SamePerson {
  one: string;
  other: string;
  source: string;
}

const github = (path: string) => `https://github.com/${path}`;

const METADATA = github("google/libphonenumber/blob/master/resources/PhoneNumberMetadata.xml");

export const samePeople: readonly SamePerson[] = [
  { one: "13800010001", other: "+8613800010001", source: github("morenoh149/react-native-contacts/pull/353") },
  { one: "13800010001", other: "8613800010001", source: github("morenoh149/react-native-contacts/pull/353") },
  { one: "021-12345678", other: "+86 21 12345678", source: github("jlippold/WifiSMS/issues/19") },
  { one: "33612345678", other: "+33612345678", source: github("glific/glific/issues/5400") },
  { one: "33612345678", other: "06 12 34 56 78", source: github("glific/glific/issues/5400") },
  { one: "33612345678", other: "612345678", source: github("glific/glific/issues/5400") },
  // With its country code and without +: ten or eleven digits, as many as national numbers have
  { one: "61412345678", other: "0412 345 678", source: github("aj3423/SpamBlocker/issues/554") },
  { one: "51911478035", other: "911478035", source: github("aj3423/SpamBlocker/issues/15") },
  { one: "+51 911478035", other: "51911478035", source: github("aj3423/SpamBlocker/issues/15") },
  { one: "4740000001", other: "400 00 001", source: "https://github.com/google/libphonenumber/blob/master/FAQ.md" },
  { one: "4740000001", other: "+47 40000001", source: "https://github.com/google/libphonenumber/blob/master/FAQ.md" },
  { one: "85260000001", other: "6000 0001", source: github("catamphetamine/libphonenumber-js/issues/376") },
  { one: "393200000001", other: "320 000 0001", source: github("catamphetamine/libphonenumber-js/issues/376") },
  { one: "31612345678", other: "0612345678", source: github("marmelroy/PhoneNumberKit/issues/544") },
  { one: "918888800042", other: "088888 00042", source: github("Charcoal-SE/SmokeDetector/issues/14382") },
  { one: "001 202 555 0101", other: "202-555-0101", source: github("michaelkourlas/voipms-sms-client/issues/258") },
  { one: "+61 410000000", other: "0410000000", source: github("Kademi/kademi-dev/issues/2594") },
  { one: "+6565550001", other: "6565550001", source: github("x13a/Silence/issues/163") },
  { one: "0686211892", other: "+39 0686211892", source: github("haumacher/phoneblock/issues/166") },
  { one: "0686211892", other: "390686211892", source: github("haumacher/phoneblock/issues/166") },
  { one: "07 00 00 00 01", other: "+225 07 00 00 00 01", source: "own" },
  { one: "0686211892", other: "+39 686211892", source: github("haumacher/phoneblock/issues/166") },
  { one: "92512000001", other: "+92512000001", source: METADATA },
  { one: "92512000001", other: "051 2000001", source: METADATA },
  { one: "5712000001", other: "+5712000001", source: METADATA },
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
  // Countries whose numbers are short, begin with 0 behind the country code, or have another trunk prefix
  { one: "+376 312 345", other: "376312345", source: METADATA },
  { one: "+376 312 345", other: "00376 312345", source: METADATA },
  { one: "376312345", other: "312 345", source: METADATA },
  { one: "+298 211234", other: "298211234", source: METADATA },
  { one: "+299 22 12 34", other: "299221234", source: METADATA },
  { one: "+687 75.12.34", other: "687 751234", source: METADATA },
  { one: "+682 71 234", other: "68271234", source: METADATA },
  { one: "+229 01 95 12 34 56", other: "01 95 12 34 56", source: METADATA },
  { one: "8 612 34567", other: "+370 612 34567", source: METADATA },
  { one: "8 66 123456", other: "+993 66 123456", source: METADATA },
  { one: "011 33 6 12 34 56 78", other: "+33 6 12 34 56 78", source: METADATA },
  { one: "0011 33 612345678", other: "+33 612345678", source: METADATA },
  { one: "011 1 202 555 0101", other: "+1 202-555-0101", source: METADATA },
  // Prefixes of mobile numbers, and a digit that was added
  { one: "+52 1 55 1234 5678", other: "+52 55 1234 5678", source: github("chatwoot/chatwoot/issues/14048") },
  { one: "5215512345678", other: "525512345678", source: github("chatwoot/chatwoot/pull/14277") },
  { one: "+52 1 55 1234 5678", other: "55 1234 5678", source: github("signalapp/Signal-Android/issues/3360") },
  { one: "52 1 0123456789", other: "+52 1 0123456789", source: github("loqui/im/issues/96") },
  { one: "+54 9 11 1234 5678", other: "+54 11 1234 5678", source: github("google/libphonenumber/issues/684") },
  { one: "+54 9 11 1234 5678", other: "011 15 1234-5678", source: github("signalapp/Signal-Android/issues/5270") },
  { one: "+54 11 15 1234-5678", other: "+54 11 1234 5678", source: github("floere/phony/issues/310") },
  { one: "0054 9 223 123 4567", other: "0223 15 123 4567", source: github("signalapp/Signal-Android/issues/5270") },
  { one: "+54 9 2966 12 3456", other: "+54 2966 15 12 3456", source: github("AfterShip/phone/pull/253") },
  { one: "+54 91123017883", other: "11 2301 7883", source: github("alexplumb/material-ui-phone-number/issues/109") },
  { one: "+55 11 98888-8888", other: "+55 11 8888-8888", source: github("megaapp977/stack/issues/446") },
  { one: "5531996883193", other: "553196883193", source: github("wwebjs/whatsapp-web.js/issues/596") },
  { one: "+55 21 96418 0266", other: "552164180266", source: github("wwebjs/whatsapp-web.js/issues/596") },
  { one: "+55 41 98799-0001", other: "041 8799-0001", source: github("chatwoot/chatwoot/pull/6222") },
  { one: "8 916 000-45-67", other: "+7 916 000-45-67", source: github("whisperfish/rust-phonenumber/issues/76") },
  // Letters of the keys
  { one: "1-800-FLOWERS", other: "1-800-356-9377", source: github("codeforamerica/ohana-api/issues/192") },
  { one: "+1 800 FLOWERS", other: "8003569377", source: github("google/libphonenumber/blob/master/FALSEHOODS.md") },
  { one: "1800-9BELOIT", other: "+1 800-923-5648", source: github("florisboard/florisboard/issues/355") },
  { one: "1-800-GO-FEDEX", other: "18004633339", source: "own" },
  { one: "1 800 4-A-CHILD", other: "+18004224453", source: "own" },
  { one: "021-12345678转0801", other: "021-12345678转801", source: "own" },
  { one: "A068", other: "a068", source: "own" },
  { one: "10086", other: "100-86", source: "own" },
];
