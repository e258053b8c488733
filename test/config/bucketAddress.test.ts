// Addresses of buckets: which ones are taken, which ones cannot work and are refused before the first request, and what is signed for.
import { describe, expect, it } from "vitest";
import { BUCKET_RULE, bucketFault, regionOf, type BucketPlace } from "../../src/config/recordingsConfig.ts";

const HOST_RULE = "must name the bucket in its host, such as https://bucket.s3.example/prefix";

describe("The address of a bucket", () => {
  it.each<[BucketPlace, string]>([
    [{ url: "https://s3.eu-central-1.amazonaws.com/calls/prefix" }, "eu-central-1"],
    [{ url: "https://calls.s3.eu-central-1.amazonaws.com" }, "eu-central-1"],
    [{ url: "https://calls.s3.cn-north-1.amazonaws.com.cn/prefix" }, "cn-north-1"],
    [{ url: "https://s3-eu-west-1.amazonaws.com/calls" }, "eu-west-1"],
    [{ url: "https://calls.s3.dualstack.us-gov-west-1.amazonaws.com" }, "us-gov-west-1"],
    [{ url: "https://s3-fips.us-east-2.amazonaws.com/calls" }, "us-east-2"],
    [{ url: "https://s3.amazonaws.com/calls", region: "eu-west-3" }, "eu-west-3"],
    [{ url: "https://calls.s3-accelerate.amazonaws.com", region: "ap-south-1" }, "ap-south-1"],
    // https://github.com/apache/arrow-rs-object-store/pull/752
    [{ url: "https://s3.eu-central-1.amazonaws.com/calls.example.com" }, "eu-central-1"],
    // https://github.com/elastic/elasticsearch/issues/41816: takes buckets in the host alone.
    [
      { url: "https://calls.oss-cn-hangzhou.aliyuncs.com", addressing: "virtual", region: "oss-cn-hangzhou" },
      "oss-cn-hangzhou",
    ],
    // https://github.com/awspring/spring-cloud-aws/issues/387
    [{ url: "https://bucket.vpce-1a2b-3c.s3.eu-west-1.vpce.amazonaws.com/calls" }, "eu-west-1"],
    [{ url: "https://s3.example/calls" }, "us-east-1"],
    [{ url: "http://10.0.0.8:9000/calls.example.com", region: "garage" }, "garage"],
    // A service that has a path of its own.
    [{ url: "https://storage.example/storage/v1/s3/calls" }, "us-east-1"],
  ])("%j is taken, and signed for %s", (place, region) => {
    expect(bucketFault(place)).toBeNull();
    expect(regionOf(place)).toBe(region);
  });

  it.each<[BucketPlace, keyof BucketPlace, string]>([
    [{ url: "s3://calls/prefix" }, "url", BUCKET_RULE],
    [{ url: "calls" }, "url", BUCKET_RULE],
    [{ url: "https://s3.example/" }, "url", BUCKET_RULE],
    [{ url: "https://calls.s3.example" }, "url", BUCKET_RULE],
    [{ url: "https://s3.eu-central-1.amazonaws.com" }, "url", BUCKET_RULE],
    [{ url: "https://id:key@s3.example/calls" }, "url", BUCKET_RULE],
    [{ url: "https://s3.eu-central-1.amazonaws.com/calls", addressing: "virtual" }, "url", HOST_RULE],
    [{ url: "https://localhost:9000/calls", addressing: "virtual" }, "url", HOST_RULE],
    [{ url: "https://10.0.0.8/calls", addressing: "virtual" }, "url", HOST_RULE],
    [{ url: "https://[::1]/calls", addressing: "virtual" }, "url", HOST_RULE],
    // https://github.com/submersion-app/submersion/pull/355
    [
      { url: "https://calls.example.com.s3.eu-central-1.amazonaws.com" },
      "url",
      "has a bucket with dots in its host, for which Amazon has no certificate: name it in the path",
    ],
    [
      { url: "https://s3express-usw2-az1.us-west-2.amazonaws.com/calls--usw2-az1--x-s3" },
      "url",
      "is one of a directory bucket, which is not supported",
    ],
    [
      { url: "http://calls.s3-website.eu-central-1.amazonaws.com" },
      "url",
      "is the address of a website, which takes no files",
    ],
    [{ url: "https://calls.s3-accelerate.amazonaws.com" }, "region", "is needed with this url"],
    [{ url: "https://bucket.vpce-1a2b-3c.s3.eu-west-1.vpce.amazonaws.com" }, "url", BUCKET_RULE],
    [{ url: "https://s3.example/calls/a%2Fb" }, "url", "has a % in its path that stands for no character of a name"],
    [{ url: "https://s3.example/calls/a%zz" }, "url", "has a % in its path that stands for no character of a name"],
    // https://github.com/s3fs-fuse/s3fs-fuse/issues/1186
    [
      { url: "https://s3.eu-central-1.amazonaws.com/calls", region: "us-east-1" },
      "region",
      "is not eu-central-1, which the url names",
    ],
  ])("%j is refused: its %s %s", (place, member, text) => {
    expect(bucketFault(place)).toEqual([member, text]);
  });
});
