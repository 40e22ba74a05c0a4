use toolwright::tool;

/// Render a scene.
#[tool(pool = "big gpu")]
async fn render(scene: String) -> String {
    scene
}

fn main() {}
