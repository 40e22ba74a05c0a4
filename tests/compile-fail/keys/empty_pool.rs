use toolwright::tool;

/// Render a scene.
#[tool(pool = "")]
async fn render(scene: String) -> String {
    scene
}

fn main() {}
