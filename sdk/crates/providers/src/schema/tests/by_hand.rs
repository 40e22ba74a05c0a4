//! Schemas that no macro writes.

/// A name for people, and the text of the schema.
pub(super) const BY_HAND: [(&str, &str); 14] = [
    (
        "hand_names",
        r#"{"type":"object","properties":{"größe":{"type":"integer"},"$count":{"type":"object","properties":{"a b":{"type":"string"},"a_b":{"type":"string"}},"required":["a b"]}},"required":["größe"]}"#,
    ),
    (
        "hand_texts",
        r#"{"type":"object","properties":{"look":{"type":"string","pattern":"^(?!x)"},"at":{"type":"string","format":"uri"},"code":{"type":"string","format":"iban","default":"x"},"n":{"type":"number","exclusiveMinimum":0,"exclusiveMaximum":1}},"required":["look"],"examples":[{"look":"y"}]}"#,
    ),
    (
        "hand_one_of",
        r#"{"type":"object","properties":{"x":{"oneOf":[{"type":"string"},{"type":"integer","minimum":3}]},"y":{"oneOf":[{"type":"integer","multipleOf":2},{"type":"integer","multipleOf":3}]}},"required":["x"]}"#,
    ),
    (
        "hand_all_of",
        r##"{"type":"object","properties":{"p":{"allOf":[{"$ref":"#/definitions/P"}],"description":"A point."}},"required":["p"],"definitions":{"P":{"type":"object","title":"P","properties":{"x":{"type":"number","title":"X"},"y":{"type":"number","default":0}},"required":["x"]}}}"##,
    ),
    (
        "hand_refs",
        r##"{"type":"object","properties":{"from":{"type":"object","properties":{"lat":{"type":"number"},"name":{"type":"string"}},"required":["lat"],"additionalProperties":false},"to":{"$ref":"#/properties/from"},"via":{"$ref":"#/properties/from","description":"A stop."}},"required":["from","to"],"$schema":"http://json-schema.org/draft-07/schema#"}"##,
    ),
    (
        "hand_root_ref",
        r##"{"$ref":"#/$defs/Root","$defs":{"Root":{"type":"object","properties":{"a":{"type":"string"},"next":{"$ref":"#/$defs/Root"}},"required":["a"]}}}"##,
    ),
    (
        "hand_root_self",
        r##"{"type":"object","properties":{"name":{"type":"string"},"children":{"type":"array","items":{"$ref":"#"}}},"required":["name"]}"##,
    ),
    (
        "hand_types",
        r#"{"type":"object","properties":{"id":{"type":["string","integer","null"],"minLength":2,"minimum":5,"description":"An id."},"mixed":{"enum":["a",1,null,true]}},"required":["id","mixed"]}"#,
    ),
    (
        "hand_conditions",
        r#"{"type":"object","properties":{"a":{"type":"string","not":{"const":"x"}},"b":{"type":"integer"}},"if":{"required":["a"]},"then":{"required":["b"]},"dependentRequired":{"b":["a"]},"minProperties":1}"#,
    ),
    (
        "hand_beside",
        r#"{"type":"object","properties":{"a":{"type":"string"},"b":{"type":"string"}},"anyOf":[{"required":["a"]},{"required":["b"]}]}"#,
    ),
    (
        "hand_nullable_optional",
        r#"{"type":"object","properties":{"a":{"anyOf":[{"type":"string"},{"type":"null"}],"default":null,"title":"A"},"b":{"type":"array","items":{"anyOf":[{"type":"integer"},{"type":"null"}]},"minItems":2,"maxItems":3}}}"#,
    ),
    (
        "hand_open",
        r#"{"type":"object","properties":{"a":{"type":"string"}},"additionalProperties":true}"#,
    ),
    (
        "hand_untyped",
        r#"{"type":"object","properties":{"a":{"description":"Anything."}},"required":["a"]}"#,
    ),
    (
        "hand_object",
        r#"{"type":"object","properties":{"a":{"type":"object"}},"required":["a"]}"#,
    ),
];
